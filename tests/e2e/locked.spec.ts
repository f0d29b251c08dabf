import type { BrowserContext, Page } from '@playwright/test'
import { corner, dialog, phase } from './support/demo-wallet.ts'
import { expect, expectAccessible, test } from './support/test.ts'
import { testAccount } from './support/test-wallet.ts'
import { cookieOf, shortTest } from './support/visitor.ts'

const unlock = (page: Page) => corner(page).getByRole('button', { name: `Unlock ${shortTest}` })
const remembered = async (context: BrowserContext) => (await context.cookies())[0]?.value

test('a wallet that is locked while connected stays remembered', async ({
  page,
  context,
  visitConnected,
}) => {
  const wallet = await visitConnected()
  await corner(page).getByRole('button', { name: 'Account' }).click()
  await expect(dialog(page)).toBeVisible()
  await wallet.setAccounts([])
  await expect(unlock(page)).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
  await expectAccessible(page)
  expect(await remembered(context)).toContain(testAccount)
  wallet.asked.length = 0
  await wallet.setAccounts([testAccount])
  await phase(page, 'connected').waitFor()
  expect(new Set(wallet.asked)).toEqual(new Set(['eth_accounts', 'eth_chainId']))
})

test.describe('a visitor who returns to a locked wallet', () => {
  test.beforeEach(({ context, plain }) => context.addCookies([cookieOf(plain)]))

  test('can unlock it later, without a reload', async ({ page, context, visit }) => {
    const wallet = await visit({ allowed: false })
    await expect(unlock(page)).toBeVisible()
    expect(await remembered(context)).toContain(testAccount)
    await wallet.setAccounts([testAccount])
    await phase(page, 'connected').waitFor()
    expect(wallet.asked).not.toContain('eth_requestAccounts')
  })

  test('can use the button, which requests accounts without a new permission', async ({ page, visit }) => {
    const wallet = await visit({ allowed: false })
    await unlock(page).click()
    await phase(page, 'connected').waitFor()
    expect(wallet.asked).toContain('eth_requestAccounts')
    expect(wallet.asked).not.toContain('wallet_requestPermissions')
  })

  test('is offered the list when the wallet is not unlocked', async ({ page, context, visit }) => {
    const wallet = await visit({ allowed: false })
    wallet.refuse('eth_requestAccounts', { code: 4001, message: 'User rejected the request.' })
    await unlock(page).click()
    await expect(page.getByRole('heading', { name: 'Connect a Wallet' })).toBeVisible()
    expect(await context.cookies()).toEqual([])
  })
})
