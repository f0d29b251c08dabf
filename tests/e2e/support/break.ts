import type { BrowserContext, Page } from '@playwright/test'

/** Makes rendering the next block number fail, to simulate a bug. */
export async function breakPage(page: Page): Promise<void> {
  await page.evaluate(() => {
    const replace = Reflect.get(String.prototype, 'replace')
    const broken = function (this: string, ...given: unknown[]) {
      if (String(given[1]) === ',') throw new Error('broken by the test')
      return Reflect.apply(replace, this, given)
    }
    Reflect.set(String.prototype, 'replace', broken)
  })
}

/** Makes the layout fail, as a bug in it would. */
export async function breakLayout(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    Object.defineProperty(Document.prototype, 'cookie', {
      get: () => '',
      set() {
        throw new RangeError('broken by the test')
      },
    })
  })
}

/** An app with this environment fails to render the first page for `brokenAddress`. */
export const breakable = { NODE_OPTIONS: `--import ${new URL('break-server.mjs', import.meta.url).pathname}` }
export const brokenAddress = 'break the page'
