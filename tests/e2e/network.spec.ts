import { toHex } from 'viem'
import { another, initial, third } from './support/chains.ts'
import { card, chainOption, corner, dialog, draft, pickChain } from './support/demo-wallet.ts'
import { expect, expectAccessible, test } from './support/test.ts'
import { otherTestAccount } from './support/test-wallet.ts'
import { connectTest, cookieOf } from './support/visitor.ts'

const rejected = { code: 4001, message: 'User rejected the request.' }

test('says Wrong network on a chain that is not ours, and leads out of it', async ({ page, visit }) => {
  const wallet = await visit({ chainId: 56 })
  wallet.refuse('wallet_switchEthereumChain', rejected)
  await connectTest(page)
  await expect(card(page, initial.id)).not.toContainText('Active')
  const wrong = corner(page).getByRole('button', { name: 'Wrong network' })
  await expectAccessible(page)
  // As text on a phone too, and still next to the account.
  await page.setViewportSize({ width: 320, height: 640 })
  await expect(wrong).toHaveText('Wrong network')
  await expect(wrong).toBeInViewport({ ratio: 1 })
  await expect(corner(page).getByRole('button', { name: 'Account' })).toBeInViewport({ ratio: 1 })
  await page.setViewportSize({ width: 1280, height: 720 })
  wallet.refuse('wallet_switchEthereumChain', null)
  await wrong.click()
  await expect(dialog(page)).toContainText('Wrong network detected, switch or disconnect to continue.')
  await expectAccessible(page)
  await chainOption(page, initial.id).click()
  await expect(card(page, initial.id)).toContainText('Active')
  await expect(dialog(page)).toHaveCount(0)
  await expect(wrong).toHaveCount(0)
})

test('shows Wrong network to a returning visitor in the HTML already', async ({ page, context, plain }) => {
  await context.addCookies([cookieOf(plain, { chainId: 56 })])
  const response = await page.goto(plain)
  expect(((await response?.text()) ?? '').replace(/<script[\s\S]*?<\/script>/g, '')).toContain(
    'Wrong network',
  )
})

// What is said of every other refusal: tests/lib/wallet/wallet-errors.test.ts.
test('a wallet that fails to switch is told of, with another try', async ({ page, visitConnected }) => {
  await page.clock.install()
  const wallet = await visitConnected()
  wallet.refuse('wallet_switchEthereumChain', { code: -32603, message: 'gremlins' })
  await pickChain(page, another.id)
  const trouble = page
    .getByRole('alert')
    .filter({ hasText: 'The network could not be switched. Switch inside your wallet.' })
  await expect(trouble).toContainText('Network not switched')
  await expect(card(page, initial.id)).toContainText('Active')
  await expectAccessible(page)
  await page.clock.runFor(30_000)
  await page.getByRole('button', { name: 'Try again' }).click()
  await chainOption(page, another.id).click()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(trouble).toHaveCount(0)
})

test('a switch that the visitor declines is passed over in silence', async ({ page, visitConnected }) => {
  const wallet = await visitConnected()
  wallet.refuse('wallet_switchEthereumChain', rejected)
  await pickChain(page, another.id)
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.getByRole('alert').filter({ hasText: /.+/ })).toHaveCount(0)
})

test('a review goes on as soon as the wallet is on its network', async ({ page, visitConnected }) => {
  await page.clock.install()
  const wallet = await visitConnected({ chainId: third.id })
  await draft(page, otherTestAccount, '0.1', initial.name)
  const waiting = page.getByRole('button', { name: 'Waiting for your wallet to switch' })
  const confirm = page.getByRole('button', { name: 'Confirm in wallet' })
  // It never answers, and says by an event that it has switched.
  const release = wallet.hold('wallet_switchEthereumChain')
  await page.getByRole('button', { name: `Switch to ${initial.name}` }).click()
  await expect(waiting).toBeVisible()
  await wallet.setChain(initial.id)
  await expect(confirm).toBeEnabled()
  await wallet.setChain(1)
  release()

  // It answers, and switches a while later without an event.
  wallet.answer('wallet_switchEthereumChain', null)
  await page.getByRole('button', { name: `Switch to ${initial.name}` }).click()
  await expect(waiting).toBeVisible()
  wallet.answer('eth_chainId', toHex(initial.id))
  await page.clock.runFor(1000)
  await expect(confirm).toBeEnabled()
})

test('a review whose switch never comes says where to switch', async ({ page, visitConnected }) => {
  await page.clock.install()
  const wallet = await visitConnected({ chainId: third.id })
  await draft(page, otherTestAccount, '0.1', initial.name)
  wallet.answer('wallet_switchEthereumChain', null)
  await page.getByRole('button', { name: `Switch to ${initial.name}` }).click()
  await expect(page.getByRole('button', { name: 'Waiting for your wallet to switch' })).toBeVisible()
  await page.clock.runFor(10_000)
  const alert = dialog(page).getByRole('alert').filter({ hasText: 'Switch inside your wallet.' })
  await expect(alert).toBeVisible()
  await expect(page.getByRole('button', { name: `Try again: switch to ${initial.name}` })).toBeEnabled()
  await expectAccessible(page)
  await wallet.setChain(initial.id)
  await expect(page.getByRole('button', { name: 'Confirm in wallet' })).toBeEnabled()
  await expect(alert).toHaveCount(0)
})

test('adds a chain that the wallet does not know, with public nodes', async ({ page, visitConnected }) => {
  const wallet = await visitConnected({ known: [initial.id] })
  await pickChain(page, another.id)
  await expect(card(page, another.id)).toContainText('Active')
  const added = wallet.requests.find(({ method }) => method === 'wallet_addEthereumChain')
  expect(added?.params).toEqual([
    {
      chainId: toHex(another.id),
      chainName: another.name,
      nativeCurrency: { name: expect.any(String), symbol: another.symbol, decimals: 18 },
      rpcUrls: [expect.stringMatching(/^http/)],
      blockExplorerUrls: [expect.stringMatching(/^https:/)],
    },
  ])
})
