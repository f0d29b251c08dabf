import { pagesWithBudget } from './support/budgets.ts'
import { adoptIdentity, devCopy, identity } from './support/fork.ts'
import { expect, test } from './support/test.ts'
import { expectNoWarning } from './support/warnings.ts'

for (const [path] of pagesWithBudget())
  test(`${path} under \`npm run dev\`: there is nothing to warn of`, ({ page, context, apps }) =>
    expectNoWarning({ page, context, apps, kind: 'dev', path }))

test('under `npm run dev` a new name and colour are on the page without a reload', async ({ page, apps }) => {
  await page.goto(await apps.url('dev'))
  adoptIdentity(devCopy)
  await expect(page.getByRole('banner')).toContainText(identity.name)
  await expect(page.locator('html')).toHaveAttribute('style', new RegExp(identity.accent.light))
})
