import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'

declare global {
  interface Window {
    clocked: Clocked
  }
}

/** What a page noted of itself, in milliseconds since its navigation began; 0 while it has not happened. */
export interface Clocked {
  visibleMs: number
  connectedMs: number
  /** From the click to the frame in which the dialog is there. */
  dialogMs: number
  shift: number
}

export interface Load {
  readonly bytes: number
  /** Requests to any other origin. */
  readonly elsewhere: number
}

/** Bytes of the scripts that the document itself names, each gzipped as a server would. */
export async function firstLoad(url: string): Promise<number> {
  const html = await (await fetch(url)).text()
  const tags = [...html.matchAll(/<script[^>]*\ssrc="([^"]+)"[^>]*>/g)].filter(
    ([tag]) => !/nomodule/i.test(tag),
  )
  let sum = 0
  for (const [, source = ''] of tags) {
    const body = await (await fetch(new URL(source.replaceAll('&amp;', '&'), url))).arrayBuffer()
    sum += gzipSync(Buffer.from(body)).length
  }
  return sum
}

/** Opens a page, touches nothing, and weighs every script until the network is quiet. */
export async function idleLoad(page: Page, url: string): Promise<Load> {
  let bytes = 0
  let elsewhere = 0
  const weighing: Promise<void>[] = []
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (/^https?:/.test(protocol) && origin !== new URL(url).origin) elsewhere++
  })
  page.on('response', (response) => {
    // The demo's wallet is not the app's.
    if (response.request().resourceType() !== 'script' || response.url().endsWith('/demo-wallet.js')) return
    weighing.push(
      response.body().then(
        (body) => {
          bytes += gzipSync(body).length
        },
        () => {},
      ),
    )
  })
  await page.goto(url)
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(3000)
  await Promise.all(weighing)
  page.removeAllListeners()
  return { bytes, elsewhere }
}

/** Makes every page that opens here note its own times. */
export async function clockPage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const clocked: Clocked = { visibleMs: 0, connectedMs: 0, dialogMs: 0, shift: 0 }
    window.clocked = clocked
    let clickedMs = 0
    const look = () => {
      const corner = document.querySelector('[data-phase]')
      if (!clocked.visibleMs && /0x..…/.test(corner?.textContent ?? '')) clocked.visibleMs = performance.now()
      if (!clocked.connectedMs && corner?.getAttribute('data-phase') === 'connected')
        clocked.connectedMs = performance.now()
      if (clickedMs && !clocked.dialogMs && document.querySelector('[role=dialog]'))
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
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number
        hadRecentInput: boolean
      })[]) {
        if (!entry.hadRecentInput) clocked.shift += entry.value
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}
