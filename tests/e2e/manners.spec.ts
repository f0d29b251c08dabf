import { initial, third } from './support/chains.ts'
import { card, corner, dialog, draftToReview, leave, openConnect, phase } from './support/demo-wallet.ts'
import { expect, test } from './support/test.ts'
import { addTestWallet, otherTestAccount, testAccount } from './support/test-wallet.ts'
import { connectTest, shortTest } from './support/visitor.ts'

test.describe('an app without a demo', () => {
  test('connects a wallet on a chain of ours without a switch', async ({ page, visitConnected }) => {
    const wallet = await visitConnected({ chainId: third.id })
    await expect(card(page, third.id)).toContainText('Active')
    expect(wallet.asked).not.toContain('wallet_switchEthereumChain')
  })

  test(`asks a wallet on another chain for chain ${initial.id}, once`, async ({ page, visitConnected }) => {
    const wallet = await visitConnected({ chainId: 56 })
    await expect(card(page, initial.id)).toContainText('Active')
    expect(wallet.asked.filter((method) => method === 'wallet_switchEthereumChain')).toHaveLength(1)
  })

  test('is connected beside a switch that is never answered, also after a reload', async ({
    page,
    visit,
  }) => {
    const wallet = await visit({ chainId: 56 })
    wallet.hold('wallet_switchEthereumChain')
    await connectTest(page)
    await expect(dialog(page)).toHaveCount(0)
    await expect.poll(() => wallet.asked).toContain('wallet_switchEthereumChain')
    await page.reload()
    await phase(page, 'connected').waitFor()
    await expect(corner(page)).toContainText('Wrong network')
  })

  test('keeps the second wallet when the first approves late', async ({ page, context, plain, visit }) => {
    const first = await addTestWallet(context, { origin: plain, rdns: 'a.first', name: 'First Wallet' })
    first.answer('eth_accounts', [otherTestAccount])
    const approve = first.hold('wallet_requestPermissions')
    await visit()
    await openConnect(page)
    await dialog(page).getByRole('button', { name: 'First Wallet' }).click()
    await expect.poll(() => first.asked).toContain('wallet_requestPermissions')
    await dialog(page).getByRole('button', { name: 'Test Wallet' }).click()
    await phase(page, 'connected').waitFor()
    await draftToReview(page, otherTestAccount, '0.1')
    approve()
    // By then the first one has told its network, which is the last that it is asked.
    await expect.poll(() => first.asked.at(-1)).toBe('eth_chainId')
    await expect(page.getByText(`From${testAccount}`)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Confirm in wallet' })).toBeEnabled()
    await expect(corner(page)).toContainText(shortTest)
  })

  test('returns to the list without a word when a wallet declines', async ({ page, visit }) => {
    const wallet = await visit()
    wallet.refuse('wallet_requestPermissions', { code: 4001, message: 'User rejected the request.' })
    await openConnect(page)
    const option = dialog(page).getByRole('button', { name: 'Test Wallet' })
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 })
      const answer = wallet.hold('wallet_requestPermissions')
      await option.click()
      await expect(dialog(page)).toContainText('Opening Test Wallet')
      answer()
      await expect(dialog(page)).not.toContainText('Opening')
      await expect(option).toBeFocused()
      await expect(page.getByRole('alert').filter({ hasText: /.+/ })).toHaveCount(0)
    }
    await phase(page, 'none').waitFor()
    wallet.refuse('wallet_requestPermissions', null)
    await option.click()
    await phase(page, 'connected').waitFor()
  })

  test('disconnecting takes no permission back from the wallet', async ({ page, visitConnected }) => {
    const wallet = await visitConnected()
    await leave(page)
    expect(wallet.asked).not.toContain('wallet_revokePermissions')
    // Later events of the wallet do not connect it again.
    await wallet.setAccounts([testAccount])
    await wallet.setChain(1)
    await page.reload()
    await phase(page, 'none').waitFor()
  })
})
