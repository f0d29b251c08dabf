import type { Page } from '@playwright/test'
import { initial } from './support/chains.ts'
import { corner, dialog, dismiss, phase } from './support/demo-wallet.ts'
import { expect, expectAccessible, other, test } from './support/test.ts'
import { connectTest } from './support/visitor.ts'

const toAccount = (page: Page) => corner(page).getByRole('button', { name: 'Account' })
const toChains = (page: Page) => page.getByRole('button', { name: 'Switch network' })
const toSend = (page: Page) => page.getByRole('button', { name: 'Send', exact: true })

for (const [what, opener] of [
  ['account', toAccount],
  ['chain', toChains],
  ['send', toSend],
] as const) {
  test(`the ${what} window closes when the wallet disconnects`, async ({ page, context, visitConnected }) => {
    const wallet = await visitConnected()
    await opener(page).click()
    await expect(dialog(page)).toBeVisible()
    await wallet.emitDisconnect()
    await phase(page, 'none').waitFor()
    await expect(dialog(page)).toHaveCount(0)
    expect(await context.cookies()).toEqual([])
    // It does not open again with the next connection.
    await connectTest(page)
    await expect(dialog(page)).toHaveCount(0)
  })
}

test('one modal at a time: Escape closes it and restores the focus', async ({ page, visitConnected }) => {
  await visitConnected()
  for (const opener of [toAccount, toChains, toSend]) {
    await opener(page).click()
    await expect(dialog(page)).toHaveCount(1)
    await dismiss(page)
    await expect(opener(page)).toBeFocused()
  }
})

test('what was copied says so for five seconds, an error until it is closed', async ({
  page,
  context,
  apps,
}) => {
  const origin = await apps.url('node')
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.clock.install()
  await page.goto(`${origin}/?address=${other}`)
  await page.waitForResponse((response) => response.url().includes(`/api/rpc/${initial.id}`))
  const copy = page.getByRole('button', { name: 'Copy address' })
  const said = page.getByText('Copied', { exact: true })
  await copy.click()
  await expect(said).toBeVisible()
  await page.clock.pauseAt(Date.now() + 10_000)
  await expect(said).toHaveCount(0)
  await copy.click()
  await expect(said).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(other)
  await page.clock.runFor(4999)
  await expect(said).toBeVisible()
  await page.clock.runFor(1)
  await expect(said).toHaveCount(0)

  // Without the clipboard API (plain http, denied permission) the selection is copied.
  await page.evaluate(async () => {
    await navigator.clipboard.writeText('something else')
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined })
  })
  await copy.click()
  await said.hover()
  await expect(copy).toBeFocused()
  await page.clock.runFor(60_000)
  await expect(said).toBeVisible()
  await page.mouse.move(0, 0)
  await expect(async () => {
    await page.clock.runFor(5000)
    expect(await said.count()).toBe(0)
  }).toPass()
  await page.evaluate(() => Reflect.deleteProperty(navigator, 'clipboard'))
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(other)

  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined })
    document.execCommand = () => false
  })
  await copy.click()
  const denied = page.getByRole('alert').filter({ hasText: 'Your browser did not allow copying.' })
  await page.clock.runFor(60_000)
  await expect(denied).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).press('Enter')
  await expect(denied).toHaveCount(0)
  await expect(copy).toBeFocused()
  await copy.click()
  await expect(denied).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(denied).toHaveCount(0)
})

test('what was copied in a window says so above it', async ({ page, context, visitConnected }) => {
  await context.grantPermissions(['clipboard-write'])
  await visitConnected()
  await page.getByRole('button', { name: 'Receive' }).click()
  await dialog(page).getByRole('button', { name: /^Copy/ }).first().click()
  await expect(dialog(page).getByText('Copied', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await dialog(page).getByRole('button', { name: 'Dismiss' }).press('Escape')
  await expect(page.getByText('Copied', { exact: true })).toHaveCount(0)
  await expect(dialog(page)).toBeVisible()
})
