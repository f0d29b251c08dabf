import { pagesWithBudget } from './support/budgets.ts'
import { test } from './support/test.ts'
import { expectNoWarning } from './support/warnings.ts'

for (const [path] of pagesWithBudget())
  test(`${path}: React, Next and the browser have nothing to warn of, for a new and a returning visitor`, ({
    page,
    context,
    apps,
  }) => expectNoWarning({ page, context, apps, kind: 'plain', path }))
