import { pagesWithBudget } from './support/budgets.ts'
import { test } from './support/test.ts'
import { expectNoWarning } from './support/warnings.ts'

for (const [path] of pagesWithBudget())
  test(`${path}: there is nothing to warn of`, ({ page, context, apps }) =>
    expectNoWarning({ page, context, apps, kind: 'plain', path }))
