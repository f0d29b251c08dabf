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
    // Health is 503 while a busy machine is too slow for the deadlines of all chains.
    if (/status of 503/.test(message.text()) && message.location().url.endsWith('/api/rpc/health')) return
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
export async function countShifts(
  page: Page,
): Promise<(isExpected?: (moved: string) => boolean) => Promise<Shifts>> {
  await page.addInitScript(() => {
    const shifts: Shift[] = []
    Object.assign(window, { shifts })
    const described = ({ node }: { node?: Node | null }) =>
      `${(node as Element | null)?.className ?? node?.nodeName}: ${node?.textContent?.slice(0, 60)}`
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number
        hadRecentInput: boolean
        sources?: { node?: Node | null }[]
      })[]) {
        if (entry.hadRecentInput) continue
        shifts.push({ value: entry.value, of: (entry.sources ?? []).map(described) })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return async (isExpected = () => false) => {
    const all = await page.evaluate(() => (window as unknown as { shifts: readonly Shift[] }).shifts)
    const counted = all.filter(({ of }) => of.length === 0 || !of.every(isExpected))
    return {
      sum: counted.reduce((sum, { value }) => sum + value, 0),
      of: counted.flatMap(({ of }) => of),
    }
  }
}

interface Shift {
  readonly value: number
  readonly of: readonly string[]
}

/** Layout shifts of a page without a press before them, and what was shifted. Those that moved only what is expected are left out. */
interface Shifts {
  readonly sum: number
  readonly of: readonly string[]
}
