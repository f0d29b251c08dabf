import type { Page } from '@playwright/test'
import { corner, dialog, openConnect, phase } from './support/demo-wallet.ts'
import { expect, test } from './support/test.ts'
import { addTestWallet } from './support/test-wallet.ts'
import { shortTest } from './support/visitor.ts'

/** What extensions leave in a page, run before its own code. All else that they may leave: tests/lib/wallet/broken-wallets.test.ts. */
const brokenWallets = {
  'a null that cannot be replaced': () => {
    Object.defineProperty(window, 'ethereum', { value: null })
  },
  'a wallet of which nothing can be read, and announcements that throw': () => {
    const get = () => {
      throw new Error('Extension context invalidated.')
    }
    const unreadable = new Proxy({}, { get })
    Reflect.set(window, 'ethereum', unreadable)
    const info = { uuid: '1', rdns: 'odd.wallet', name: 'Odd Wallet', icon: 'data:image/png;base64,' }
    const details = [null, unreadable, { info: unreadable }, { info, provider: unreadable }]
    window.addEventListener('eip6963:requestProvider', () => {
      for (const detail of details)
        window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    })
  },
}

/** The error page has no account button. */
async function expectToStand(page: Page): Promise<void> {
  await expect(page.getByText('This page could not be shown')).toHaveCount(0)
  await expect(corner(page)).toBeVisible()
}

for (const [name, leave] of Object.entries(brokenWallets))
  test(`the page stands beside ${name}, and another wallet connects`, async ({ page, context, plain }) => {
    const errors: string[] = []
    page.on('pageerror', ({ message }) => errors.push(message))
    await context.addInitScript(leave)
    await addTestWallet(context, { origin: plain })
    // What reads it is in the layout, which all pages share.
    await page.goto(plain)
    await openConnect(page)
    await expectToStand(page)
    await expect(dialog(page).getByRole('button', { name: 'Coinbase Wallet' })).toBeVisible()
    await expect(dialog(page).getByRole('button', { name: 'Browser Wallet' })).toHaveCount(0)
    await dialog(page).getByRole('button', { name: 'Test Wallet' }).click()
    await phase(page, 'connected').waitFor()
    await expectToStand(page)
    await expect(corner(page)).toContainText(shortTest)
    expect(errors).toEqual([])
  })

test('what breaks inside the wallet layer says so, and can be retried', async ({ page, plain, visit }) => {
  await visit()
  await page.goto(`${plain}/status`)
  await page.evaluate(() => {
    Reflect.set(window, 'kept', window.matchMedia)
    window.matchMedia = () => {
      throw new Error('broken by an extension')
    }
  })
  await corner(page).getByRole('button', { name: 'Connect Wallet' }).click()
  const alert = corner(page).getByRole('alert')
  await expect(alert).toContainText('The wallet list stopped working')
  await expectToStand(page)
  await page.evaluate(() => Reflect.set(window, 'matchMedia', Reflect.get(window, 'kept')))
  await alert.getByRole('button', { name: 'Try again' }).click()
  await expect(alert).toHaveCount(0)
  // The list that was asked for opens.
  await dialog(page).getByRole('button', { name: 'Test Wallet' }).click()
  await phase(page, 'connected').waitFor()
})
