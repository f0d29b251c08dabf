import type { Response } from '@playwright/test'
import { card, corner, phase } from './support/demo-wallet.ts'
import { expect, expectAccessible, test } from './support/test.ts'
import { addTestWallet } from './support/test-wallet.ts'
import { cookieOf, shortTest } from './support/visitor.ts'

test.describe('an app without a demo', () => {
  test('keeps a returning wallet on its chain, and asks it for nothing but what it must', async ({
    page,
    visitConnected,
  }) => {
    const wallet = await visitConnected()
    await wallet.setChain(1)
    await expect(card(page, 1)).toContainText('Active')
    wallet.asked.length = 0
    await page.reload()
    await phase(page, 'connected').waitFor()
    await expect(card(page, 1)).toContainText('Active')
    expect(new Set(wallet.asked)).toEqual(new Set(['eth_accounts', 'eth_chainId']))
  })

  test('reconnects the wallet that was used last, and asks no other one anything', async ({
    page,
    context,
    plain,
    visitConnected,
  }) => {
    await visitConnected()
    const stranger = await addTestWallet(context, { origin: plain, rdns: 'a.stranger', name: 'Stranger' })
    await page.reload()
    await phase(page, 'connected').waitFor()
    expect(stranger.asked).toEqual([])
  })

  test('waits for a wallet that announces itself late', async ({ page, context, plain, visit }) => {
    await context.addCookies([cookieOf(plain)])
    // The list's own wallets are looked through once the first wait for an announcement is over.
    const lookedThrough = page.waitForResponse(isCodeOfList)
    const wallet = await visit({ allowed: true, announces: 'when told' })
    await expect(corner(page)).toContainText(shortTest)
    await lookedThrough
    await expect(phase(page, 'returning')).toBeVisible()
    await wallet.announce()
    await phase(page, 'connected').waitFor()
  })

  test('offers to reconnect when the wallet does not come back, and never spins for ever', async ({
    page,
    context,
    plain,
  }) => {
    await context.addCookies([cookieOf(plain)])
    await page.goto(plain)
    await expect(corner(page)).toContainText(shortTest)
    const again = page.getByRole('button', { name: 'Reconnect' })
    await expect(again).toBeVisible({ timeout: 20_000 })
    await expectAccessible(page)
    await again.click()
    await expect(page.getByRole('heading', { name: 'Connect a Wallet' })).toBeVisible()
  })

  test('forgets a returning visitor whose wallet no longer knows this site', async ({
    page,
    context,
    plain,
    visit,
  }) => {
    await context.addCookies([cookieOf(plain)])
    await visit({ allowed: false })
    await phase(page, 'none').waitFor()
    expect(await context.cookies()).toEqual([])
  })
})

/** Whether this brings the wallets that we list ourselves, by a word that Safe's wallet is set up with. */
async function isCodeOfList(response: Response): Promise<boolean> {
  if (response.request().resourceType() !== 'script') return false
  return (await response.text()).includes('unstable_getInfoTimeout')
}
