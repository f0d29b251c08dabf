import type { Page } from '@playwright/test'
import { initial, listedTokens, third } from './support/chains.ts'
import { card, connectDemo, corner, dialog, dismiss } from './support/demo-wallet.ts'
import { expect, expectAccessible, other, test } from './support/test.ts'
import { waitForScripts } from './support/visitor.ts'

/**
 * The narrowest phone, which equals a desktop at 400 % zoom, with forced colors, whose contrast is up to the system.
 */
test.use({ viewport: { width: 320, height: 480 }, forcedColors: 'active' })

const focused = (page: Page) => page.locator(':focus')

/** No content is cut off, and axe reports nothing. */
async function expectSound(page: Page, state: string): Promise<void> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(wide, state).toBe(320)
  for (const window of await page.locator('dialog[open]').all())
    expect(await window.evaluate((box) => box.scrollWidth - box.clientWidth), state).toBe(0)
  for (const close of await dialog(page).getByRole('button', { name: 'Close' }).all()) {
    await expect(close, state).toBeInViewport({ ratio: 1 })
  }
  await expectAccessible(page, { without: ['color-contrast'] })
}

async function tabTo(page: Page, name: string): Promise<void> {
  const target = page.getByRole('button', { name, exact: true })
  await expect(async () => {
    await page.keyboard.press('Tab')
    await expect(target.and(focused(page))).toHaveCount(1, { timeout: 50 })
  }).toPass()
}

test('from the first page to a confirmed transaction by keyboard alone', async ({ page, apps }) => {
  await page.goto(await apps.url('node'))
  await waitForScripts(corner(page))
  await page.keyboard.press('Tab')
  await expect(focused(page)).toHaveText('Skip to content')
  await expectSound(page, 'first page')

  await tabTo(page, 'Connect Wallet')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Connect a Wallet' }).waitFor()
  await expectSound(page, 'list')
  await tabTo(page, 'Demo Wallet')
  await page.keyboard.press('Enter')
  // The dialog of the wallet takes the focus.
  await expect(page.getByRole('button', { name: 'Connect', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(card(page, initial.id)).toContainText('Active')
  await expectSound(page, 'account')

  await tabTo(page, 'Send')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Amount')).toBeFocused()
  // The selected network differs by more than a custom colour.
  const colourOf = (name: string) =>
    dialog(page)
      .getByText(name)
      .locator('..')
      .evaluate((label) => getComputedStyle(label).backgroundColor)
  expect(await colourOf(initial.name)).not.toBe(await colourOf(third.name))
  await page.keyboard.press('Enter')
  await expect(page.getByText('Enter an amount.')).toBeVisible()
  await expect(page.getByLabel('Amount')).toBeFocused()
  await expectSound(page, 'form')

  await page.keyboard.type('0.0625')
  await page.getByRole('textbox', { name: 'To', exact: true }).fill(other)
  await page.keyboard.press('Enter')
  const review = page.getByRole('heading', { name: 'Review transaction' })
  await expect(review).toBeFocused()
  await expect(review).toBeInViewport({ ratio: 1 })
  await expectSound(page, 'review')
  await tabTo(page, 'Confirm in wallet')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Waiting for your wallet…' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await page.getByRole('button', { name: 'Confirm', exact: true }).press('Enter')
  const sent = page.getByRole('heading', { name: /On its way|Confirmed/ })
  await expect(sent).toBeFocused()
  await expect(sent).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('heading', { name: 'Confirmed' })).toBeFocused()
  await expectSound(page, 'confirmed')
  await tabTo(page, 'Done')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeFocused()
  await expect(page.getByRole('listitem').filter({ hasText: `Send 0.0625 ${initial.symbol}` })).toContainText(
    /Confirmed · .*\d{1,2}:\d{2}.*0x[0-9a-f]{8}…/,
  )
  await expectSound(page, 'activity')

  for (const [button, state] of [
    [/^Account/, 'account window'],
    [/^Network/, 'networks'],
  ] as const) {
    await page.getByRole('button', { name: button }).press('Enter')
    await expect(dialog(page)).toBeVisible()
    await expectSound(page, state)
    await dismiss(page)
    await expect(page.getByRole('button', { name: button })).toBeFocused()
  }
})

test('a long amount of a token is not cut off in the review at 320 pixels', async ({ page, apps }) => {
  const { chain, owned } = listedTokens(initial)
  const { address, symbol, decimals } = owned
  await page.goto(`${await apps.url('node')}/token?chain=${chain.id}&address=${address}`)
  await connectDemo(page)
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('textbox', { name: 'Spender' }).fill(other)
  await page.getByLabel('Amount').fill(`123456789012345678.${'1'.padStart(decimals, '0')}`)
  await page.getByRole('button', { name: 'Review' }).click()
  await expect(dialog(page)).toContainText(`1 ${symbol}, until now`)
  await expectSound(page, 'review')
})

test('every other page is accessible at 320 pixels and in forced colors', async ({ page, apps }) => {
  for (const path of [`/?address=${other}`, '/?address=0x1', '/status', '/nope']) {
    await page.goto(`${await apps.url('node')}${path}`)
    await expectSound(page, path)
  }
})
