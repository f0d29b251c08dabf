import type { ConsoleMessage } from '@playwright/test'
import { pagesWithBudget } from './support/budgets.ts'
import { phase } from './support/demo-wallet.ts'
import { expect, test } from './support/test.ts'
import { addTestWallet } from './support/test-wallet.ts'
import { cookieOf } from './support/visitor.ts'

for (const [path] of pagesWithBudget())
  test(`${path}: React, Next and the browser have nothing to warn of, for a new and a returning visitor`, async ({
    page,
    context,
    apps,
    plain,
  }) => {
    const before = apps.printed(plain).length
    const warnings: string[] = []
    page.on('console', (message) => {
      if (isWarning(message) && !isOwnStatus(message, plain + path)) warnings.push(message.text())
    })
    page.on('pageerror', (error) => warnings.push(String(error)))
    await addTestWallet(context, { origin: plain, allowed: true })
    await page.goto(plain + path)
    await phase(page, 'none').first().waitFor()
    await context.addCookies([cookieOf(plain)])
    await page.goto(plain + path)
    await phase(page, 'connected').first().waitFor()
    expect(warnings).toEqual([])
    expect(apps.printed(plain).slice(before)).not.toMatch(/⚠|⨯|Warning|Error/)
  })

function isWarning(message: ConsoleMessage): boolean {
  return message.type() === 'warning' || message.type() === 'error'
}

/** Chromium notes a document that is not found. */
function isOwnStatus(message: ConsoleMessage, url: string): boolean {
  return message.location().url === url && message.text().startsWith('Failed to load resource')
}
