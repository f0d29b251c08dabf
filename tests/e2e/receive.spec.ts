import type { Page } from '@playwright/test'
import { third } from './support/chains.ts'
import { connectDemo, dialog } from './support/demo-wallet.ts'
import { readCode } from './support/qr.ts'
import { account, expect, expectAccessible, test } from './support/test.ts'

const code = (page: Page) => dialog(page).getByRole('img', { name: /^QR code of / })

test('a visitor shows the address as a code, shares it, and asks for an amount', async ({ page, apps }) => {
  await page.addInitScript(() => {
    const shared: unknown[] = []
    Reflect.set(window, 'shared', shared)
    Reflect.set(navigator, 'share', async (data: unknown) => void shared.push(data))
  })
  await page.goto(await apps.url('node'))
  await connectDemo(page)
  await page.getByRole('button', { name: 'Receive' }).click()
  await expect(dialog(page)).toContainText(account)
  await expect.poll(() => readCode(code(page))).toBe(account)
  await expectAccessible(page)
  await dialog(page).getByRole('button', { name: 'Share' }).click()
  expect(await page.evaluate(() => Reflect.get(window, 'shared'))).toEqual([{ text: account }])

  await dialog(page).getByRole('checkbox', { name: 'Ask for an amount' }).check()
  await expect(dialog(page)).toContainText('Some wallets ignore the network and the amount')
  await dialog(page).getByLabel('Network').selectOption(third.name)
  await dialog(page)
    .getByLabel(/^Amount/)
    .fill('1.5x')
  await expect(
    dialog(page).getByRole('alert').filter({ hasText: 'Enter an amount as a number' }),
  ).toBeVisible()
  await expect(code(page)).toHaveCount(0)
  await dialog(page)
    .getByLabel(/^Amount/)
    .fill('1.5')
  await expect
    .poll(() => readCode(code(page)))
    .toBe(`ethereum:${account}@${third.id}?value=1500000000000000000`)
  await expectAccessible(page)
})

test('there is no button to share where the browser cannot', async ({ page, apps }) => {
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'share'))
  await page.goto(await apps.url('node'))
  await connectDemo(page)
  await page.getByRole('button', { name: 'Receive' }).click()
  await expect(code(page)).toBeVisible()
  await expect(dialog(page).getByRole('button', { name: 'Share' })).toHaveCount(0)
})
