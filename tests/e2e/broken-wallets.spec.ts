import type { Page } from '@playwright/test'
import { toHex } from 'viem'
import { brokenWallets } from './support/broken-wallets.ts'
import { initial } from './support/chains.ts'
import { corner, dialog, openConnect, phase } from './support/demo-wallet.ts'
import { expect, test } from './support/test.ts'
import { addTestWallet, otherTestAccount, testAccount } from './support/test-wallet.ts'
import { cookieOf, shortTest } from './support/visitor.ts'

/** Errors that no code of the page caught. */
function watchErrors(page: Page): string[] {
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  return errors
}

/** The error page has no account button. */
async function expectToStand(page: Page): Promise<void> {
  await expect(page.getByText('failed to meet quorum with itself')).toHaveCount(0)
  await expect(corner(page)).toBeVisible()
}

for (const [name, leave] of Object.entries(brokenWallets))
  test(`the page stands beside ${name}, and another wallet connects`, async ({ page, context, plain }) => {
    const errors = watchErrors(page)
    await context.addInitScript(leave)
    await addTestWallet(context, { origin: plain })
    // What reads it is in the layout, which all pages share.
    await page.goto(plain)
    await openConnect(page)
    await expectToStand(page)
    await expect(dialog(page).getByRole('button', { name: 'Coinbase Wallet' })).toBeVisible()
    await expect(dialog(page).getByRole('button', { name: 'Browser Wallet' })).toHaveCount(
      name.startsWith('a list') ? 1 : 0,
    )
    await dialog(page).getByRole('button', { name: 'Test Wallet' }).click()
    await phase(page, 'connected').waitFor()
    await expectToStand(page)
    await expect(corner(page)).toContainText(shortTest)
    expect(errors).toEqual([])
  })

test('a wallet in the page without a way to hear its events connects, and one without a network says so', async ({
  page,
  plain,
}) => {
  await page.addInitScript((account) => {
    const answers: Record<string, unknown> = {
      eth_chainId: null,
      eth_accounts: [account],
      eth_requestAccounts: [account],
    }
    const request = async ({ method }: { method: string }) => {
      if (method in answers) return answers[method]
      throw Object.assign(new Error('no'), { code: 4200 })
    }
    Reflect.set(window, 'ethereum', Object.freeze({ request }))
    Reflect.set(window, 'answers', answers)
  }, testAccount)
  await page.goto(plain)
  await openConnect(page)
  await dialog(page).getByRole('button', { name: 'Browser Wallet' }).click()
  const alert = page.getByRole('alert').filter({ hasText: 'Wallet not connected' })
  await expect(alert).toContainText('Your wallet did not say which network it is on.')
  await page.evaluate(
    (chainId) => Object.assign(Reflect.get(window, 'answers'), { eth_chainId: chainId }),
    toHex(initial.id),
  )
  await dialog(page).getByRole('button', { name: 'Browser Wallet' }).click()
  await phase(page, 'connected').waitFor()
  await expect(corner(page)).toContainText(shortTest)
})

test('what a wallet sends that is no account and no chain changes nothing, and the cookie holds none', async ({
  page,
  context,
  visitConnected,
}) => {
  const errors = watchErrors(page)
  const wallet = await visitConnected()
  // When its name was looked up may follow.
  const cookie = async () =>
    (await context.cookies())
      .find(({ name }) => name === 'quorate-wallet')
      ?.value.replace(/%2C%22nameReadMs%22%3A\d+/, '')
  const before = cookieOf(page.url(), {}).value
  await expect.poll(cookie).toBe(before)
  for (const value of [null, 'loading', { chainId: '0x1' }, 1.2e24, '', 0])
    await wallet.emit('chainChanged', value)
  for (const value of [[null], otherTestAccount, null, ['cb7147879011ea207df5b35a24ca6f0859dcfb145999'], {}])
    await wallet.emit('accountsChanged', value)
  await wallet.emit('connect', null)
  await expect(corner(page)).toContainText(shortTest)
  await expect(page.getByText('Wrong network')).toHaveCount(0)
  expect(await cookie()).toBe(before)

  await wallet.emit('accountsChanged', [null, otherTestAccount])
  await expect(corner(page)).not.toContainText(shortTest)
  await expect.poll(cookie).toBe(cookieOf(page.url(), { address: otherTestAccount }).value)
  expect(errors).toEqual([])
})

test('what breaks inside the wallet layer leaves the page, says so, and can be tried again', async ({
  page,
  plain,
  visit,
}) => {
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
