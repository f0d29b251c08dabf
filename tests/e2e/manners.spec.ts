import { card, corner, dialog, draft, openConnect, phase } from './support/demo-wallet.ts'
import { expect, expectAccessible, other, test } from './support/test.ts'
import { addTestWallet, otherTestAccount, testAccount } from './support/test-wallet.ts'
import { connectTest as connect, cookieOf, shortTest } from './support/visitor.ts'

test.describe('an app without a demo', () => {
  test('has no demo wallet to give', async ({ request, apps }) => {
    expect((await request.get(`${await apps.url('plain')}/demo-wallet.js`)).status()).toBe(404)
  })

  test('asks a fresh connection for chain 137', async ({ page, context, apps }) => {
    const origin = await apps.url('plain')
    const wallet = await addTestWallet(context, { origin, chainId: 1 })
    await page.goto(origin)
    await connect(page)
    await expect(card(page, 137)).toContainText('Active')
    expect(wallet.asked.filter((method) => method === 'wallet_switchEthereumChain')).toHaveLength(1)
  })

  test('connects a visitor who declines that switch, on the chain of their wallet', async ({
    page,
    context,
    apps,
  }) => {
    const origin = await apps.url('plain')
    const wallet = await addTestWallet(context, { origin, chainId: 1 })
    wallet.refuse('wallet_switchEthereumChain', { code: 4001, message: 'User rejected the request.' })
    await page.goto(origin)
    await connect(page)
    await expect(card(page, 1)).toContainText('Active')
    await expect(dialog(page)).toHaveCount(0)
  })

  test('keeps a returning wallet on its chain, and asks it for nothing but what it must', async ({
    page,
    context,
    apps,
  }) => {
    const origin = await apps.url('plain')
    const wallet = await addTestWallet(context, { origin })
    await page.goto(origin)
    await connect(page)
    await wallet.setChain(1)
    await expect(card(page, 1)).toContainText('Active')
    wallet.asked.length = 0
    await page.reload()
    await phase(page, 'connected').waitFor()
    await expect(card(page, 1)).toContainText('Active')
    expect(new Set(wallet.asked)).toEqual(new Set(['eth_accounts', 'eth_chainId']))
  })

  test('reconnects the wallet that was used last, and asks no other one anything', async ({
    page,
    context,
    apps,
  }) => {
    const origin = await apps.url('plain')
    await addTestWallet(context, { origin })
    await page.goto(origin)
    await connect(page)
    const asked = await page.evaluate(() => {
      const record: string[] = []
      Reflect.set(window, 'strangerAsked', record)
      return record
    })
    expect(asked).toEqual([])
    await page.addInitScript(() => {
      const record: string[] = []
      Reflect.set(window, 'strangerAsked', record)
      const detail = {
        info: { uuid: 'stranger', name: 'Stranger', rdns: 'a.stranger', icon: 'data:image/png;base64,' },
        provider: {
          request: async ({ method }: { method: string }) => record.push(method),
          on() {},
          removeListener() {},
        },
      }
      window.addEventListener('eip6963:requestProvider', () =>
        window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail })),
      )
    })
    await page.reload()
    await phase(page, 'connected').waitFor()
    expect(await page.evaluate(() => Reflect.get(window, 'strangerAsked'))).toEqual([])
  })

  test('waits for a wallet that announces itself late', async ({ page, context, apps }) => {
    const origin = await apps.url('plain')
    await addTestWallet(context, { origin, allowed: true, announceAfterMs: 1500 })
    await context.addCookies([cookieOf(origin)])
    await page.goto(origin)
    await expect(phase(page, 'returning')).toBeVisible()
    await expect(corner(page)).toContainText(shortTest)
    await phase(page, 'connected').waitFor()
  })

  test('offers to reconnect when the wallet does not come back, and never spins for ever', async ({
    page,
    context,
    apps,
  }) => {
    const origin = await apps.url('plain')
    await context.addCookies([cookieOf(origin)])
    await page.goto(origin)
    await expect(corner(page)).toContainText(shortTest)
    const again = page.getByRole('button', { name: 'Reconnect' })
    await expect(again).toBeVisible({ timeout: 8000 })
    await expectAccessible(page)
    await again.click()
    await expect(page.getByRole('heading', { name: 'Connect a Wallet' })).toBeVisible()
  })

  test('forgets a returning visitor whose wallet no longer knows this site', async ({
    page,
    context,
    apps,
  }) => {
    const origin = await apps.url('plain')
    await addTestWallet(context, { origin, allowed: false })
    await context.addCookies([cookieOf(origin)])
    await page.goto(origin)
    await phase(page, 'none').waitFor()
    expect(await context.cookies()).toEqual([])
  })

  test('follows the wallet to another account, and remembers that one', async ({ page, context, apps }) => {
    const origin = await apps.url('plain')
    const wallet = await addTestWallet(context, { origin })
    await page.goto(origin)
    await connect(page)
    await wallet.setAccounts([otherTestAccount])
    await expect(corner(page)).toContainText(otherTestAccount.slice(-4))
    await expect.poll(async () => (await context.cookies())[0]?.value).toContain(otherTestAccount)
  })

  for (const [how, leave] of [
    ['an empty list of accounts', (wallet: Wallet) => wallet.setAccounts([])],
    ['a disconnect event', (wallet: Wallet) => wallet.emitDisconnect()],
  ] as const) {
    test(`lets go of a wallet that says ${how}, and closes what was open`, async ({
      page,
      context,
      apps,
    }) => {
      const origin = await apps.url('plain')
      const wallet = await addTestWallet(context, { origin })
      await page.goto(origin)
      await connect(page)
      await corner(page).getByRole('button', { name: 'Account' }).click()
      await expect(dialog(page)).toBeVisible()
      await leave(wallet)
      await phase(page, 'none').waitFor()
      await expect(dialog(page)).toHaveCount(0)
      expect(await context.cookies()).toEqual([])
    })
  }

  test('asks a wallet to add a chain that it does not know, with public nodes', async ({
    page,
    context,
    apps,
  }) => {
    const origin = await apps.url('plain')
    const wallet = await addTestWallet(context, { origin, known: [137] })
    await page.goto(origin)
    await connect(page)
    await page.getByRole('button', { name: 'Switch network' }).click()
    await dialog(page).getByRole('button', { name: 'Arbitrum' }).click()
    await expect(card(page, 42161)).toContainText('Active')
    const added = wallet.requests.find(({ method }) => method === 'wallet_addEthereumChain')
    expect(added?.params).toEqual([
      {
        chainId: '0xa4b1',
        chainName: 'Arbitrum One',
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
        rpcUrls: [expect.stringMatching(/^http/)],
        blockExplorerUrls: ['https://arbiscan.io'],
      },
    ])
  })

  test('returns to the list when a wallet declines at once', async ({ page, context, apps }) => {
    const origin = await apps.url('plain')
    const wallet = await addTestWallet(context, { origin })
    wallet.refuse('wallet_requestPermissions', { code: 4001, message: 'User rejected the request.' })
    await page.goto(origin)
    await openConnect(page)
    await page.getByRole('button', { name: 'Test Wallet' }).click()
    await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible()
    wallet.refuse('wallet_requestPermissions', null)
    await page.getByRole('button', { name: 'Retry' }).click()
    await phase(page, 'connected').waitFor()
  })

  test('disconnecting takes no permission back from the wallet', async ({ page, context, apps }) => {
    const origin = await apps.url('plain')
    const wallet = await addTestWallet(context, { origin })
    await page.goto(origin)
    await connect(page)
    await corner(page).getByRole('button', { name: 'Account' }).click()
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await phase(page, 'none').waitFor()
    expect(wallet.asked).not.toContain('wallet_revokePermissions')
    // And nothing that the wallet says afterwards connects it again.
    await wallet.setAccounts([testAccount])
    await wallet.setChain(1)
    await page.reload()
    await phase(page, 'none').waitFor()
  })

  test('a transaction that the wallet refuses leaves the review as it was, with the reason', async ({
    page,
    context,
    apps,
  }) => {
    const origin = await apps.url('plain')
    const wallet = await addTestWallet(context, { origin })
    await page.goto(origin)
    await connect(page)
    await draft(page, other, '0.1')
    for (const [code, message, sentence] of [
      [4001, 'User rejected the request.', 'You rejected the request in your wallet.'],
      [-32002, 'already pending', 'Your wallet has a request open already. Answer that one first.'],
      [-32000, 'insufficient funds for gas', 'Insufficient funds for the amount and its fee.'],
      [-32000, 'nonce too low', 'That nonce is used: another transaction of yours was there first.'],
      [
        -32000,
        'replacement transaction underpriced',
        'Replacement fee too low: pay more than the transaction that it replaces.',
      ],
      [-32603, 'gremlins', 'Oops, something went wrong!'],
    ] as const) {
      wallet.refuse('eth_sendTransaction', { code, message })
      await page.getByRole('button', { name: 'Confirm in wallet' }).click()
      await expect(dialog(page).getByRole('alert').filter({ hasText: sentence })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Confirm in wallet' })).toBeEnabled()
    }
  })

  test('what the wallet is asked to sign is what the review said', async ({ page, context, apps }) => {
    const origin = await apps.url('plain')
    const wallet = await addTestWallet(context, { origin })
    await page.goto(origin)
    await connect(page)
    await draft(page, other, '0.25')
    await page.getByRole('button', { name: 'Confirm in wallet' }).click()
    await expect(page.getByRole('heading', { name: 'On its way' })).toBeVisible()
    const asked = wallet.requests.find(({ method }) => method === 'eth_sendTransaction')
    expect(asked?.params).toMatchObject([
      {
        from: expect.stringMatching(new RegExp(`^${testAccount}$`, 'i')),
        to: other,
        value: `0x${(25n * 10n ** 16n).toString(16)}`,
        gas: '0x5208',
      },
    ])
  })
})

type Wallet = Awaited<ReturnType<typeof addTestWallet>>
