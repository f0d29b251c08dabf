import type { Page } from '@playwright/test'
import { dialog, openConnect, phase } from './demo-wallet.ts'
import { testAccount } from './test-wallet.ts'

/** The test wallet's account as the corner shows it. */
export const shortTest = `${testAccount.slice(0, 4)}…${testAccount.slice(-4)}`

/** Connects the test wallet, which does not ask. */
export async function connectTest(page: Page, name = 'Test Wallet'): Promise<void> {
  await openConnect(page)
  await dialog(page).getByRole('button', { name }).click()
  await phase(page, 'connected').waitFor()
}

/** The cookie of a visitor who has been here before. */
export function cookieOf(origin: string, change: object = {}) {
  const value = { v: 1, address: testAccount, chainId: 137, connectorId: 'test.wallet', ...change }
  return { name: 'quorate-wallet', value: encodeURIComponent(JSON.stringify(value)), url: origin }
}
