import { addTestWallet, connectTest, expect, otherTestAccount, test, testAccount } from '#testing'
import { dialog, draftToReview } from './support/demo-wallet.ts'
import { other } from './support/test.ts'

test('the wallet of a fork’s tests works on local chains', async ({ page, context, demoUrl }) => {
  const wallet = await addTestWallet(context, { origin: demoUrl, inDemo: true })
  await page.goto(demoUrl)
  await connectTest(page)
  await wallet.setAccounts([])
  await expect(page.getByRole('button', { name: /^Unlock/ })).toBeVisible()
  await wallet.setAccounts([otherTestAccount, testAccount])
  await expect(page.getByRole('button', { name: 'Account 0x3C…93BC' })).toBeVisible()

  await draftToReview(page, other, '0.1')
  const close = wallet.hold('eth_sendTransaction')
  wallet.refuse('eth_sendTransaction', { code: 4001, message: 'User rejected the request.' })
  await page.getByRole('button', { name: 'Confirm in wallet' }).click()
  await expect.poll(() => wallet.asked).toContain('eth_sendTransaction')
  close()
  await expect(dialog(page).getByRole('alert').filter({ hasText: /\w/ })).toBeVisible()
})
