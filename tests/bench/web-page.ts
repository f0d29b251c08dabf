import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import { benchWallet } from './web-wallet.ts'

declare global {
  interface Window {
    clocked: Clocked
  }
}

export type Clocked = ReturnType<typeof clock>

export interface Load extends Clocked {
  readonly firstByteMs: number
  /** Of scripts, as they travelled: none of them on a warm load. */
  readonly scriptBytes: number
  readonly requests: number
  /** Requests to any other origin. */
  readonly elsewhere: number
}

/** What the browser is slowed down by. */
export const speeds = {
  full: { name: 'unthrottled', cpu: 1, network: null },
  /** As Lighthouse has it: 150 ms a round trip, 1.6 Mbit/s down, 0.75 up. */
  slow: {
    name: '4x CPU slowdown, slow 4G',
    cpu: 4,
    network: { latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 },
  },
} as const

export type Speed = (typeof speeds)[keyof typeof speeds]

/** Bytes of the scripts that the document itself names, each gzipped as a server would, or as this one sends them to a browser. */
export async function firstLoad(url: string, as: 'gzipped' | 'sent' = 'gzipped'): Promise<number> {
  const html = await (await fetch(url)).text()
  const tags = [...html.matchAll(/<script[^>]*\ssrc="([^"]+)"[^>]*>/g)].filter(
    ([tag]) => !/nomodule/i.test(tag),
  )
  let sum = 0
  for (const [, source = ''] of tags) {
    const response = await fetch(new URL(source.replaceAll('&amp;', '&'), url), {
      headers: { 'accept-encoding': 'br, gzip' },
    })
    const body = await response.arrayBuffer()
    sum += as === 'sent' ? Number(response.headers.get('content-length')) : gzipSync(Buffer.from(body)).length
  }
  return sum
}

/** A page of a browser of its own, which has the wallet of the benchmark and notes its own times. */
export async function openPage(browser: Browser, speed: Speed, options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options)
  await context.addInitScript(benchWallet)
  await context.addInitScript(clock)
  const page = await context.newPage()
  await slowDown(context, page, speed)
  return { context, page }
}

async function slowDown(context: BrowserContext, page: Page, { cpu, network }: Speed): Promise<void> {
  if (network === null) return
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', { offline: false, ...network })
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpu })
}

/** Waits until the page is connected and quiet, and reads what it noted. */
export async function readLoad(page: Page): Promise<Load> {
  await page.waitForFunction(() => window.clocked.connectedMs > 0 && window.clocked.paintMs > 0, null, {
    timeout: 60_000,
  })
  await page.waitForLoadState('networkidle', { timeout: 60_000 })
  return page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    return {
      ...window.clocked,
      firstByteMs: navigation?.responseStart ?? Number.NaN,
      scriptBytes: resources
        .filter(({ initiatorType, name }) => initiatorType === 'script' || name.endsWith('.js'))
        .reduce((sum, { transferSize }) => sum + transferSize, 0),
      requests: resources.length + 1,
      elsewhere: resources.filter(({ name }) => !name.startsWith(location.origin)).length,
    }
  })
}

/** Runs in the page, before its own scripts. What it notes is in milliseconds since the navigation began; 0 while it has not happened. */
export function clock() {
  const clocked = {
    visibleMs: 0,
    connectedMs: 0,
    /** The first frame with the heading of the page's own content. */
    paintMs: 0,
    /** The largest contentful paint, and the slowest interaction until its next paint, by Chrome's own measure. */
    largestMs: 0,
    interactionMs: 0,
    /** From the click to the frame in which the dialog is there. */
    dialogMs: 0,
    shift: 0,
  }
  window.clocked = clocked
  let clickedMs = 0
  const look = () => {
    const place = document.querySelector('[data-phase]')
    if (!clocked.visibleMs && /0x..…/.test(place?.textContent ?? '')) clocked.visibleMs = performance.now()
    if (!clocked.connectedMs && place?.getAttribute('data-phase') === 'connected')
      clocked.connectedMs = performance.now()
    if (clickedMs && !clocked.dialogMs && document.querySelector('[role=dialog], dialog[open]'))
      clocked.dialogMs = performance.now() - clickedMs
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
  addEventListener(
    'click',
    () => {
      clickedMs = performance.now()
    },
    { capture: true, once: true },
  )
  // Before the first frame with it: observers of the document are called as the parser inserts. A heading that hydration replaces before
  // that frame is never painted, so each is marked until one is.
  const own = new MutationObserver(() => {
    if (clocked.paintMs > 0) own.disconnect()
    else document.querySelector('main h1')?.setAttribute('elementtiming', 'own')
  })
  own.observe(document, { childList: true, subtree: true })
  interface Entry extends PerformanceEntry {
    readonly value: number
    readonly hadRecentInput: boolean
    readonly renderTime: number
    readonly interactionId: number
  }
  const observe = (type: string, note: (entry: Entry) => void) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Entry[]) note(entry)
    }).observe({ type, buffered: true, ...(type === 'event' && { durationThreshold: 16 }) })
  observe('layout-shift', ({ value, hadRecentInput }) => {
    if (!hadRecentInput) clocked.shift += value
  })
  observe('element', ({ renderTime }) => {
    clocked.paintMs ||= renderTime
  })
  observe('largest-contentful-paint', ({ startTime }) => {
    clocked.largestMs = startTime
  })
  observe('event', ({ duration, interactionId }) => {
    if (interactionId > 0) clocked.interactionMs = Math.max(clocked.interactionMs, duration)
  })
  return clocked
}

/** Events of a trace, by the work that they are. */
const workOf = {
  scriptMs: ['EvaluateScript', 'v8.compile', 'FunctionCall', 'RunMicrotasks'],
  styleMs: ['UpdateLayoutTree', 'Layout'],
  paintMs: ['PrePaint', 'Paint', 'Layerize', 'Commit'],
  rasterMs: ['RasterTask', 'ImageDecodeTask'],
}

/** Milliseconds of the main thread and of the raster threads for one load, from a trace. */
export type Work = Readonly<Record<keyof typeof workOf, number>>

interface TraceEvent {
  readonly name: string
  readonly ts: number
  readonly dur?: number
  readonly tid: number
}

/** What lies in another event of the same kind and thread is counted once. */
export function workIn(trace: Buffer): Work {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: readonly TraceEvent[] }
  const sumOf = (names: readonly string[]) => {
    const ends = new Map<number, number>()
    let us = 0
    for (const { name, ts, dur = 0, tid } of traceEvents.toSorted((one, other) => one.ts - other.ts)) {
      if (!names.includes(name) || ts < (ends.get(tid) ?? 0)) continue
      ends.set(tid, ts + dur)
      us += dur
    }
    return us / 1000
  }
  return {
    scriptMs: sumOf(workOf.scriptMs),
    styleMs: sumOf(workOf.styleMs),
    paintMs: sumOf(workOf.paintMs),
    rasterMs: sumOf(workOf.rasterMs),
  }
}
