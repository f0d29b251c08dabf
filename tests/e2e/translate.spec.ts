import { createFigures } from '#lib/page/format.ts'
import { another, initial } from './support/chains.ts'
import { card, confirmDemo, connectDemo, dialog, draft, pickChain, toReview } from './support/demo-wallet.ts'
import { account, balanceOf, expect, other, test } from './support/test.ts'
import { expectNoLostText, translate } from './support/translate.ts'

test('on a translated page a visitor changes the chain, sends, sees true figures', async ({ page, apps }) => {
  const origin = await apps.url('node')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(origin)
  await expect(card(page, initial.id)).toContainText('Agreed by')
  await translate(page)
  await connectDemo(page)
  await pickChain(page, another.id)
  await expect(card(page, another.id)).toContainText('Active')
  await expectNoLostText(page, 'after the chain has changed')

  await draft(page, '0x12', '1.5')
  await expect(dialog(page)).toContainText('Enter an address')
  await page.getByRole('textbox', { name: 'To', exact: true }).fill(other)
  await toReview(page)
  await page.getByRole('button', { name: 'Back' }).click()
  await toReview(page)
  await expect(dialog(page)).toContainText(`1.5 ${another.symbol}`)
  await expectNoLostText(page, 'review')
  await confirmDemo(page)
  await expect(dialog(page)).toContainText(/Included in block [\d,]+\.$|Included in block [\d,]+\.T/)
  await expectNoLostText(page, 'confirmed')
  await page.getByRole('button', { name: 'Done' }).click()

  const balance = card(page, another.id).getByTestId('balance')
  await expect(async () => {
    const units = await balanceOf(origin, another.id, account)
    await expect(balance).toHaveText(`${createFigures().amount(units, 18)} ${another.symbol}`, {
      timeout: 2000,
    })
  }).toPass()
  const label = () => balance.locator('+ p').textContent()
  const before = await label()
  await expect.poll(label).not.toBe(before)
  expect(await label()).toMatch(/^at block [\d,]+$/)
  await expect(
    page
      .getByRole('listitem')
      .filter({ hasText: `Send 1.5 ${another.symbol}` })
      .first(),
  ).toContainText(/^.*Confirmed · /)
  await expectNoLostText(page, 'sent')
})
