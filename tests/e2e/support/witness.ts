import type { Page } from '@playwright/test'

/** Unwanted events of a page. */
export interface Witness {
  /** Console errors and warnings and uncaught errors, including hydration errors. */
  readonly complaints: readonly string[]
  /** Requests to other origins. */
  readonly elsewhere: readonly string[]
  /** Paths of scripts loaded after the document. */
  readonly scripts: readonly string[]
}

/** Observes a page from now on. */
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

/** Counts layout shifts without user input from the first paint on. Call it before opening the page. */
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
