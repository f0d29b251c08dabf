import type { Page, Request } from '@playwright/test'

/** Holds requests to this address, or those of them that are meant, until the returned function is called. */
export async function holdRequests(
  page: Page,
  url: string | RegExp,
  isMeant: (request: Request) => boolean = () => true,
): Promise<() => void> {
  const { promise: released, resolve: release } = withResolvers()
  await page.route(url, async (route) => {
    if (isMeant(route.request())) await released
    await route.continue().catch(() => {})
  })
  return release
}

/** A promise, and what fulfils it. */
export function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
