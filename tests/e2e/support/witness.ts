import type { Page } from '@playwright/test'

/** Everything that a page did which nobody should have to see. */
export interface Witness {
  /** Console errors and warnings, uncaught errors, hydration complaints among them. */
  readonly complaints: readonly string[]
  /** Requests to any other origin than the page's own. */
  readonly elsewhere: readonly string[]
  /** Paths of scripts that came after the document. */
  readonly scripts: readonly string[]
}

/** Watches a page from now on. */
export function watch(page: Page, origin: string): Witness {
  const complaints: string[] = []
  const elsewhere: string[] = []
  const scripts: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (/^https?:|^wss?:/.test(url.protocol) && url.origin !== origin) elsewhere.push(request.url())
    if (request.resourceType() === 'script') scripts.push(url.pathname)
  })
  page.on('websocket', (socket) => {
    if (new URL(socket.url()).host !== new URL(origin).host) elsewhere.push(socket.url())
  })
  return { complaints, elsewhere, scripts }
}

/** Counts layout shifts that no hand caused, from the first paint on. To be called before the page is opened. */
export async function countShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const shifts = { sum: 0 }
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number
        hadRecentInput: boolean
      })[]) {
        if (!entry.hadRecentInput) shifts.sum += entry.value
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () => page.evaluate(() => (window as unknown as { shifts: { sum: number } }).shifts.sum)
}
