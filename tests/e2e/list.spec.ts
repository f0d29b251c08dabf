import type { Page } from '@playwright/test'
import { dialog, leave, openConnect } from './support/demo-wallet.ts'
import { readCode } from './support/qr.ts'
import { expect, expectAccessible, test } from './support/test.ts'
import { addTestWallet } from './support/test-wallet.ts'
import { connectTest } from './support/visitor.ts'
import { watch } from './support/witness.ts'

const projectId = { WALLETCONNECT_PROJECT_ID: '0123456789abcdef0123456789abcdef' }
const missing =
  'No projectId found. Every dApp must now provide a WalletConnect Cloud projectId to enable WalletConnect v2'

/** The names in the list, in order. */
async function listed(page: Page): Promise<readonly string[]> {
  await openConnect(page)
  await page
    .getByTestId(/^rk-wallet-option-/)
    .first()
    .waitFor()
  return page.getByTestId(/^rk-wallet-option-/).allInnerTexts()
}

/** Simulates an injected wallet of an extension. */
async function inject(page: Page, flags: object): Promise<void> {
  await page.addInitScript(({ providers, ...marks }: { providers?: readonly object[] }) => {
    const wallet = (own: object) => ({ ...own, request: async () => [], on() {}, removeListener() {} })
    Reflect.set(
      window,
      'ethereum',
      wallet({ ...marks, ...(providers && { providers: providers.map(wallet) }) }),
    )
  }, flags)
}

test('lists the seed’s wallets, none of which needs a missing extension', async ({ page, apps }) => {
  const origin = await apps.url('plain', projectId)
  const seen = watch(page, new URL(origin).origin)
  await page.goto(origin)
  expect(await listed(page)).toEqual(['Rainbow', 'Coinbase Wallet', 'MetaMask', 'WalletConnect'])
  await expectAccessible(page)
  expect(seen.complaints).toEqual([])
  expect(seen.elsewhere).toEqual([])
})

test('lists Browser Wallet and Brave Wallet where the browser brings one', async ({ page, apps }) => {
  await inject(page, { isBraveWallet: true })
  await page.goto(await apps.url('plain', projectId))
  expect(new Set(await listed(page))).toEqual(
    new Set([
      ...['Browser Wallet', 'Rainbow', 'Coinbase Wallet', 'MetaMask', 'WalletConnect'],
      'Brave Wallet',
    ]),
  )
})

test('says what is missing without a WalletConnect project id', async ({ page, apps }) => {
  const origin = await apps.url('plain')
  const seen = watch(page, new URL(origin).origin)
  await page.goto(origin)
  // Wallets that need the relay are not offered, except for the one with its name.
  expect(await listed(page)).toEqual(['Coinbase Wallet', 'WalletConnect'])
  expect(seen.complaints).toEqual([])
  expect(apps.printed(origin)).toContain('WALLETCONNECT_PROJECT_ID is not set')
  await dialog(page).getByRole('button', { name: 'WalletConnect' }).click()
  await expect(page.getByRole('alert').filter({ hasText: missing })).toBeVisible()
  await expectAccessible(page)
})

test('keeps MetaMask and Rainbow without a project id where they are installed', async ({ page, apps }) => {
  await inject(page, { isMetaMask: true, providers: [{ isRainbow: true }] })
  await page.goto(await apps.url('plain'))
  expect(await listed(page)).toEqual(expect.arrayContaining(['Rainbow', 'MetaMask']))
})

test('lists the three wallets used last first, and marks no fourth', async ({ page, context, plain }) => {
  const names = ['First', 'Second', 'Third', 'Fourth']
  for (const name of names) {
    await addTestWallet(context, { origin: plain, rdns: `test.${name.toLowerCase()}`, name })
  }
  await page.goto(plain)
  for (const name of names) {
    await connectTest(page, name)
    await leave(page)
  }
  await page.reload()
  expect((await listed(page)).slice(0, 4)).toEqual([
    'Fourth\nRecent',
    'Third\nRecent',
    'Second\nRecent',
    'First',
  ])
  await expect(dialog(page).getByText('Recent', { exact: true })).toHaveCount(3)
})

test('explains what a wallet is, how to get one, download it and start with it', async ({ page, apps }) => {
  await page.goto(await apps.url('plain', projectId))
  await openConnect(page)
  await expect(dialog(page).getByText('What is a Wallet?')).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Get a Wallet' }).click()
  await expect(dialog(page)).toContainText('Mobile Wallet and Extension')
  await expect(dialog(page)).toContainText("Not what you're looking for?")
  await expectAccessible(page)

  const step = (name: string) => dialog(page).getByText(name, { exact: true })
  await dialog(page).getByRole('button', { name: 'GET' }).first().click()
  await expect(step('Get Rainbow')).toBeVisible()
  await expect(step('Rainbow for Mobile')).toBeVisible()
  await expect(step('Rainbow for Chrome')).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Get the app' }).click()
  await expect(step('Install Rainbow')).toBeVisible()
  await expect(dialog(page)).toContainText('Scan with your phone to download on iOS or Android')
  await expect.poll(() => readCode(dialog(page))).toMatch(/^https:.*rainbow/)
  await dialog(page).getByRole('button', { name: 'Continue' }).click()
  await expect(step('Get started with Rainbow')).toBeVisible()
  await expect(step('Open the Rainbow app')).toBeVisible()
  await expect(dialog(page).getByRole('button', { name: 'Connect', exact: true })).toBeVisible()
})

for (const [width, height, most] of [
  [767, 'compact', 468],
  [768, 'wide', 504],
] as const) {
  test(`at ${width} pixels the list is ${height}, at most ${most} pixels high`, async ({ page, apps }) => {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(await apps.url('plain', projectId))
    await listed(page)
    const explained = dialog(page).getByText('What is a Wallet?')
    await expect(explained).toHaveCount(height === 'wide' ? 1 : 0)
    const box = await dialog(page).locator('[role="document"]').boundingBox()
    const border = 1
    expect(box?.height).toBeLessThan(most + 2 * border + 0.5)
  })
}

for (const [motion, most] of [
  ['reduce', 0],
  ['no-preference', 35],
] as const) {
  test(`with motion ${motion} a pressed wallet throws at most ${most} particles`, async ({ page, apps }) => {
    await page.emulateMedia({ reducedMotion: motion })
    await page.goto(await apps.url('plain', projectId))
    await listed(page)
    const button = dialog(page).getByRole('button', { name: 'Rainbow' })
    await button.hover()
    await page.mouse.down()
    const particles = page.locator('#_rk_coolMode > div')
    if (most > 0) await expect.poll(() => particles.count()).toBeGreaterThan(0)
    expect(await particles.count()).toBeLessThanOrEqual(most)
    await page.mouse.move(0, 0)
    await page.mouse.up()
  })
}

test('lists a wallet without a fit icon, its name of 300 letters in its row', async ({ page, apps }) => {
  await page.addInitScript(() => {
    const provider = { request: async () => [], on() {}, removeListener() {} }
    const info = {
      uuid: '1',
      rdns: 'long.wallet',
      name: 'Wallet'.repeat(50),
      icon: 'https://wallet.example/i.png',
    }
    const detail = Object.freeze({ info, provider })
    const tell = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    window.addEventListener('eip6963:requestProvider', tell)
    tell()
  })
  const origin = await apps.url('plain', projectId)
  const seen = watch(page, new URL(origin).origin)
  for (const viewport of [
    { width: 1280, height: 860 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(viewport)
    await page.goto(origin)
    await listed(page)
    const row = page.getByTestId('rk-wallet-option-long.wallet')
    const boxOf = (selector: string) =>
      row.evaluate((element, selector) => {
        const { left, right, height } = (element.closest(selector) ?? element).getBoundingClientRect()
        return { left, right, height }
      }, selector)
    const [own, modal] = [await boxOf('button'), await boxOf('[role="dialog"]')]
    expect(own.left).toBeGreaterThanOrEqual(modal.left)
    expect(own.right).toBeLessThanOrEqual(modal.right)
    expect(await row.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
    await page.keyboard.press('Escape')
  }
  expect(seen.elsewhere).toEqual([])
})
