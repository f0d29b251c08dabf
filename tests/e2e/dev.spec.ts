import { pagesWithBudget } from './support/budgets.ts'
import { test } from './support/test.ts'
import { expectNoWarning } from './support/warnings.ts'

// A page is compiled when it is first asked for.
test.describe.configure({ timeout: 600_000 })

for (const [path] of pagesWithBudget())
  test(`${path} under \`npm run dev\`: React, Next and the browser have nothing to warn of`, ({
    page,
    context,
    apps,
  }) => expectNoWarning({ page, context, apps, kind: 'dev', path }))
