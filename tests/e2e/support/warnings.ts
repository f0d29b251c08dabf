import type { BrowserContext, ConsoleMessage, Page } from '@playwright/test'
import type { AppKind, Apps } from './apps.ts'
import { phase } from './demo-wallet.ts'
import { addTestWallet, expect } from './test.ts'
import { cookieOf } from './visitor.ts'

interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  readonly apps: Apps
  readonly kind: AppKind
  readonly path: string
}

/** Fails on what React, Next or the browser warns of while a new and a returning visitor open a page. */
export async function expectNoWarning({ page, context, apps, kind, path }: Visit): Promise<void> {
  const url = await apps.url(kind)
  const before = apps.printed(url).length
  const warnings: string[] = []
  page.on('console', (message) => {
    if (!isWarning(message) || isOwnStatus(message, url + path)) return
    if (kind === 'dev' && isEarlyPreload(message)) return
    warnings.push(message.text())
  })
  page.on('pageerror', (error) => warnings.push(String(error)))
  await addTestWallet(context, { origin: url, allowed: true })
  await page.goto(url + path)
  await phase(page, 'none').first().waitFor()
  await context.addCookies([cookieOf(url)])
  await page.goto(url + path)
  await phase(page, 'connected').first().waitFor()
  expect(warnings).toEqual([])
  const printed = apps.printed(url).slice(before)
  expect(kind === 'dev' ? withoutLeft(printed) : printed).not.toMatch(/⚠|⨯|Warning|Error/)
}

/** Next's dev server prints an error of a page that is left while it is written, as each test leaves its own. The built app does not. */
function withoutLeft(printed: string): string {
  const left = 'The destination stream errored while writing data'
  return printed.replaceAll(
    new RegExp(`⨯ Error: ${left}.*\\n(?:    at .*\\n| *[{}].*\\n|  digest: .*\\n)*`, 'g'),
    '',
  )
}

function isWarning(message: ConsoleMessage): boolean {
  return message.type() === 'warning' || message.type() === 'error'
}

/** Chromium notes a document that is not found. */
function isOwnStatus(message: ConsoleMessage, url: string): boolean {
  return message.location().url === url && message.text().startsWith('Failed to load resource')
}

/** Next's dev server has each page preload the styles of `not-found.tsx`, its build does not. Chromium notes it where the load was slow. */
function isEarlyPreload(message: ConsoleMessage): boolean {
  return /_next\/static\/chunks\/app__ui_notice_module_\S+\.css was preloaded using link preload/.test(
    message.text(),
  )
}
