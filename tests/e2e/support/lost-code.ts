import type { Page } from '@playwright/test'

/** All scripts of the app. */
export const code = '**/_next/static/**/*.js'

/** Blocks all scripts except those in the document, until the network is back. */
export async function loseLaterCode(page: Page, url: string): Promise<() => Promise<void>> {
  const named = await (await page.request.get(url)).text()
  await page.route(code, (route) =>
    named.includes(new URL(route.request().url()).pathname) ? route.continue() : route.abort(),
  )
  return () => page.unroute(code)
}
