import { pagesWithBudget } from './support/budgets.ts'
import { serveInPieces } from './support/pieces.ts'
import { expect, test } from './support/test.ts'
import { cookieOf } from './support/visitor.ts'
import { countShifts } from './support/witness.ts'

/** The pages that need nothing in their address. */
const pages = pagesWithBudget()
  .map(([path]) => path)
  .filter((path) => !path.includes('sample'))

/** A fifth of what web vitals call good. */
const shiftsMax = 0.02

for (const path of pages)
  for (const who of ['stranger', 'returning visitor'] as const)
    test(`${path} for a ${who}: hardly anything moves while the page arrives over a slow line, and never the account`, async ({
      page,
      context,
      plain,
    }) => {
      const pieces = await serveInPieces(plain)
      if (who === 'returning visitor') await context.addCookies([cookieOf(plain)])
      // The HTML alone: what the page does later is measured elsewhere.
      await page.route('**/_next/static/**/*.js', (route) => route.abort())
      const shifts = await countShifts(page)
      await page.goto(pieces.url + path)
      const { sum, of } = await shifts()
      pieces.close()
      expect(sum).toBeLessThan(shiftsMax)
      expect(of.filter((moved) => moved.includes('corner'))).toEqual([])
    })
