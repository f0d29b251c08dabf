import { card, corner, dialog, leave, openConnect, phase } from './support/demo-wallet.ts'
import { expect, test } from './support/test.ts'
import { otherTestAccount, testAccount } from './support/test-wallet.ts'
import { connectTest } from './support/visitor.ts'

test.describe('an app without a demo', () => {
  test('has no demo wallet', async ({ plain, request }) => {
    expect((await request.get(`${plain}/demo-wallet.js`)).status()).toBe(404)
  })

  test('asks a fresh connection for chain 137', async ({ page, visitConnected }) => {
    const wallet = await visitConnected({ chainId: 1 })
    await expect(card(page, 137)).toContainText('Active')
    expect(wallet.asked.filter((method) => method === 'wallet_switchEthereumChain')).toHaveLength(1)
  })

  test('connects a visitor who declines that switch, on the chain of their wallet', async ({
    page,
    visit,
  }) => {
    const wallet = await visit({ chainId: 1 })
    wallet.refuse('wallet_switchEthereumChain', { code: 4001, message: 'User rejected the request.' })
    await connectTest(page)
    await expect(card(page, 1)).toContainText('Active')
    await expect(dialog(page)).toHaveCount(0)
  })

  test('follows the wallet to another account, and remembers that one', async ({
    page,
    context,
    visitConnected,
  }) => {
    const wallet = await visitConnected()
    await wallet.setAccounts([otherTestAccount])
    await expect(corner(page)).toContainText(otherTestAccount.slice(-4))
    await expect.poll(async () => (await context.cookies())[0]?.value).toContain(otherTestAccount)
  })

  test('lets go of a wallet that says it has disconnected, and closes what was open', async ({
    page,
    context,
    visitConnected,
  }) => {
    const wallet = await visitConnected()
    await corner(page).getByRole('button', { name: 'Account' }).click()
    await expect(dialog(page)).toBeVisible()
    await wallet.emitDisconnect()
    await phase(page, 'none').waitFor()
    await expect(dialog(page)).toHaveCount(0)
    expect(await context.cookies()).toEqual([])
  })

  test('returns to the list when a wallet declines at once', async ({ page, visit }) => {
    const wallet = await visit()
    wallet.refuse('wallet_requestPermissions', { code: 4001, message: 'User rejected the request.' })
    await openConnect(page)
    const option = dialog(page).getByRole('button', { name: 'Test Wallet' })
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 })
      await option.click()
      await expect(dialog(page)).toContainText('Opening Test Wallet')
      await expect(dialog(page)).not.toContainText('Opening')
      await expect(option).toBeFocused()
    }
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
