import type { Page } from '@playwright/test'

/** All scripts of the app. */
export const code = '**/_next/static/**/*.js'

/** Blocks all scripts except those in the document, so many `times` each, until the network is back. */
export async function loseLaterCode(
  page: Page,
  url: string,
  times = Number.POSITIVE_INFINITY,
): Promise<() => Promise<void>> {
  const named = await (await page.request.get(url)).text()
  const lost = new Map<string, number>()
  await page.route(code, (route) => {
    const { pathname } = new URL(route.request().url())
    const before = lost.get(pathname) ?? 0
    if (named.includes(pathname) || before >= times) return route.continue()
    lost.set(pathname, before + 1)
    return route.abort()
  })
  return () => page.unroute(code)
}
