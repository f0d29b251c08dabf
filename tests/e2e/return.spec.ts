import type { Page } from '@playwright/test'
import { restoreMsMax } from '#lib/wallet/restore-connection.ts'
import { card, corner, dialog, leave, openConnect, phase } from './support/demo-wallet.ts'
import { expect, expectAccessible, test } from './support/test.ts'
import { addTestWallet, otherTestAccount } from './support/test-wallet.ts'
import { cookieOf, shortTest } from './support/visitor.ts'

/** No wallet is late because the machine is slow. */
const waitForWallets = (page: Page) =>
  page.addInitScript((lateMs) => {
    const { setTimeout } = window
    const patient = (call: () => void, ms?: number) => setTimeout(call, ms === lateMs ? 2 ** 31 - 1 : ms)
    window.setTimeout = patient as typeof setTimeout
  }, restoreMsMax)

test.describe('an app without a demo', () => {
  test('keeps a returning wallet on its chain with the fewest requests', async ({ page, visitConnected }) => {
    const wallet = await visitConnected()
    await wallet.setChain(1)
    await expect(card(page, 1)).toContainText('Active')
    wallet.asked.length = 0
    await page.reload()
    await phase(page, 'connected').waitFor()
    await expect(card(page, 1)).toContainText('Active')
    expect(new Set(wallet.asked)).toEqual(new Set(['eth_accounts', 'eth_chainId']))
  })

  test('asks no wallet but the one that was used last', async ({ page, context, plain, visitConnected }) => {
    await visitConnected()
    const stranger = await addTestWallet(context, { origin: plain, rdns: 'a.stranger', name: 'Stranger' })
    await page.reload()
    await phase(page, 'connected').waitFor()
    expect(stranger.asked).toEqual([])
  })

  for (const [what, opener] of [
    ['account', (page: Page) => corner(page).getByRole('button', { name: 'Account' })],
    ['network', (page: Page) => corner(page).getByRole('button', { name: 'Network' })],
  ] as const) {
    test(`waits for a late wallet, and keeps the ${what} open`, async ({ page, context, plain, visit }) => {
      await waitForWallets(page)
      await context.addCookies([cookieOf(plain)])
      const wallet = await visit({ allowed: true, announces: 'when told' })
      await expect(corner(page)).toContainText(shortTest)
      await opener(page).click()
      await expect(dialog(page)).toBeVisible()
      await expect(phase(page, 'returning')).toBeVisible()
      await dialog(page).evaluate((element) => Reflect.set(element, 'stays', true))
      await wallet.announce()
      await phase(page, 'connected').waitFor()
      await expect(dialog(page)).toBeVisible()
      expect(await dialog(page).evaluate((element) => Reflect.get(element, 'stays'))).toBe(true)
    })
  }

  test('drops a reconnecting wallet after a disconnect', async ({ page, context, plain, visit }) => {
    await waitForWallets(page)
    await context.addCookies([cookieOf(plain)])
    const wallet = await visit({ allowed: true, announces: 'when told' })
    await expect(phase(page, 'returning')).toBeVisible()
    await leave(page)
    expect(await context.cookies()).toEqual([])
    await wallet.announce()
    await openConnect(page)
    await expect(phase(page, 'none')).toBeVisible()
  })

  test('tries the last wallet again, then offers the list', async ({ page, context, plain }) => {
    await page.clock.install()
    await context.addCookies([cookieOf(plain)])
    await page.goto(plain)
    await expect(corner(page)).toContainText(shortTest)
    const again = page.getByRole('button', { name: 'Reconnect' })
    await expect(phase(page, 'returning')).toBeVisible()
    await expect(async () => {
      await page.clock.fastForward(5000)
      await expect(again).toBeVisible({ timeout: 500 })
    }).toPass()
    await expectAccessible(page)
    await again.click()
    await expect(phase(page, 'returning')).toBeVisible()
    await page.clock.fastForward(5000)
    await expect(page.getByRole('heading', { name: 'Connect a Wallet' })).toBeVisible()
  })

  test('connects a wallet that answers after Reconnect was offered', async ({ page, context, plain }) => {
    await page.clock.install()
    await context.addCookies([cookieOf(plain)])
    const wallet = await addTestWallet(context, { origin: plain, allowed: true })
    for (const isPressed of [false, true]) {
      const answer = wallet.hold('eth_accounts')
      await page.goto(plain)
      await expect.poll(() => wallet.asked).toContain('eth_accounts')
      await page.clock.runFor(5000)
      const again = page.getByRole('button', { name: 'Reconnect' })
      await expect(again).toBeVisible()
      if (isPressed) await again.click()
      answer()
      await phase(page, 'connected').waitFor()
      await expect(corner(page)).toContainText(shortTest)
    }
  })

  test('shows a returning visitor’s name, cut at 24 characters', async ({ page, context, plain, visit }) => {
    const shown = 'abcdefghijklmnopqrstu.et…'
    await context.addCookies([cookieOf(plain, { name: 'abcdefghijklmnopqrstu.eth', nameReadMs: Date.now() })])
    await visit({ allowed: true })
    for (const _ of ['this time', 'the next time']) {
      const html = (await (await page.reload())?.text()) ?? ''
      expect(html.includes(`aria-label="Account ${shown}"`)).toBe(true)
      await phase(page, 'connected').waitFor()
      const account = corner(page).getByRole('button', { name: `Account ${shown}`, exact: true })
      await expect(account).toHaveText(shown)
      await expect(page.getByRole('heading', { level: 1, name: shown, exact: true })).toBeVisible()
    }
  })

  test('does not show the name of one account for another', async ({ page, context, plain, visit }) => {
    await context.addCookies([cookieOf(plain, { name: 'somebody.eth' })])
    const wallet = await visit({ allowed: true })
    await phase(page, 'connected').waitFor()
    await wallet.setAccounts([otherTestAccount])
    await expect(corner(page)).toContainText(otherTestAccount.slice(-4))
    await expect.poll(async () => (await context.cookies())[0]?.value).toContain(otherTestAccount)
    expect((await context.cookies())[0]?.value).not.toContain('somebody')
  })
})
