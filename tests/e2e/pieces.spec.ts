import type { BrowserContext, Page } from '@playwright/test'
import { pagesWithBudget } from './support/budgets.ts'
import { degraded, initial } from './support/chains.ts'
import { serveInPieces } from './support/pieces.ts'
import { expect, giveCharacter, healNodes, test } from './support/test.ts'
import { cookieOf } from './support/visitor.ts'
import { countShifts } from './support/witness.ts'

/** The pages that need nothing in their address. */
const pages = pagesWithBudget()
  .map(([path]) => path)
  .filter((path) => !path.includes('sample'))

/** A fifth of what web vitals call good. */
const shiftsMax = 0.02

// A stranger's corner is the same on each page, and has less in it.
for (const [path, who] of [
  ['/', 'stranger'],
  ...pages.map((path) => [path, 'returning visitor'] as const),
] as const)
  test(`${path} for a ${who}: the page arrives without moving the account`, async ({
    page,
    context,
    plain,
  }) => {
    await openInPieces(page, { context, origin: plain, path, who })
  })

test.describe('with a node that does not answer', () => {
  test.afterEach(({ demoUrl }) => healNodes(demoUrl, initial.id))

  test('its warning does not move on a slow line', async ({ page, context, plain, demoUrl }) => {
    await giveCharacter(demoUrl, initial.id, 'honest-a', 'hanging')
    const warning = degraded(initial)
    await expect.poll(async () => (await fetch(plain)).text()).toMatch(warning)
    await openInPieces(page, { context, origin: plain, path: '/', who: 'stranger' })
    await expect(page.getByText(warning)).toBeVisible()
  })
})

interface Visit {
  readonly context: BrowserContext
  readonly origin: string
  readonly path: string
  readonly who: 'stranger' | 'returning visitor'
}

async function openInPieces(page: Page, { context, origin, path, who }: Visit): Promise<void> {
  const pieces = await serveInPieces(origin)
  if (who === 'returning visitor') await context.addCookies([cookieOf(origin)])
  // The HTML alone: what the page does later is measured elsewhere.
  await page.route('**/_next/static/**/*.js', (route) => route.abort())
  const shifts = await countShifts(page)
  await page.goto(pieces.url + path)
  const { sum, of } = await shifts()
  pieces.close()
  expect(sum, of.join('\n')).toBeLessThan(shiftsMax)
  expect(of.filter((moved) => moved.includes('corner'))).toEqual([])
}
