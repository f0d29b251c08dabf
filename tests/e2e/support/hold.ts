import type { Page, Request } from '@playwright/test'

/** Holds requests to this address, or those of them that are meant, until the returned function is called. */
export async function holdRequests(
  page: Page,
  url: string | RegExp,
  isMeant: (request: Request) => boolean = () => true,
): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(url, async (route) => {
    if (isMeant(route.request())) await released
    await route.continue().catch(() => {})
  })
  return release
}
