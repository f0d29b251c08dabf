import { join } from 'node:path'
import { toHex } from 'viem'
import { initial, third } from './support/chains.ts'
import { expect, test } from './support/test.ts'
import { addTestWallet, testAccount } from './support/test-wallet.ts'

const dapp = 'https://dapp.example'
const files = join(import.meta.dirname, '../../node_modules/@metamask/test-dapp/dist')

/** The test wallet represents all wallets in this suite, so it must work with a third-party page. */
test('the test wallet is a wallet to MetaMask’s own test page: found, connected, signs, sends, switches, left', async ({
  page,
  context,
  plain,
}) => {
  await context.route(`${dapp}/**`, (route) => {
    const { pathname } = new URL(route.request().url())
    return route.fulfill({ path: join(files, pathname === '/' ? 'index.html' : pathname) })
  })
  // Requests of the page to other hosts are blocked.
  await context.route(/^https:\/\/(?!dapp\.example)/, (route) => route.abort())
  // The page follows chains and accounts only of MetaMask.
  await context.addInitScript(() =>
    addEventListener('eip6963:announceProvider', (event) =>
      Object.assign((event as CustomEvent).detail.provider, { isMetaMask: true }),
    ),
  )
  const wallet = await addTestWallet(context, { origin: plain })
  await page.goto(dapp)
  await page.getByRole('button', { name: 'Use Test Wallet' }).click()
  await expect(page.locator('#activeProviderName')).toContainText('Test Wallet')

  await page.locator('#connectButton').click()
  await expect(page.locator('#accounts')).toHaveText(testAccount.toLowerCase(), { ignoreCase: true })
  await expect(page.locator('#chainId')).toHaveText(toHex(initial.id))

  // MetaMask returns lower-case accounts, and the page compares them as strings.
  const lower = testAccount.toLowerCase()
  await wallet.setAccounts([lower])
  await expect(page.locator('#accounts')).toHaveText(lower)
  wallet.answer('personal_ecRecover', lower)

  await page.locator('#personalSign').click()
  await expect(page.locator('#personalSignResult')).toHaveText(/^0x[0-9a-f]{130}$/)
  await page.locator('#personalSignVerify').click()
  await expect(page.locator('#personalSignVerifySigUtilResult')).toHaveText(lower)

  const sent = page.waitForEvent('console', (message) => /^0x[0-9a-f]{64}$/.test(message.text()))
  await page.locator('#sendEIP1559Button').click()
  const hash = (await sent).text()
  await expect
    .poll(async () => {
      const body = { jsonrpc: '2.0', id: 1, method: 'eth_getTransactionReceipt', params: [hash] }
      const response = await page.request.post(`${plain}/api/rpc/${initial.id}`, { data: body })
      return (await response.json()).result?.status
    })
    .toBe('0x1')

  await wallet.setChain(third.id)
  await expect(page.locator('#chainId')).toHaveText(toHex(third.id))
  await page.locator('#revokeAccountsPermission').click()
  await expect.poll(() => wallet.asked).toContain('wallet_revokePermissions')
  await wallet.setAccounts([])
  await expect(page.locator('#accounts')).toBeEmpty()
})
