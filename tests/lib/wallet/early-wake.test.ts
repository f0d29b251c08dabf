import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { earlyWakeScript } from '#lib/wallet/early-wake.ts'
import { guarded } from '#lib/wallet/injected.ts'
import { own as account, other } from './accounts.ts'
import { goodWallet } from './hostile-wallet.ts'

const rdns = 'a.wallet'

/** Runs the script as the page does, with a wallet that announces itself. */
function wake(wallet = goodWallet(rdns)) {
  const page = new EventTarget()
  const announcement = new CustomEvent('eip6963:announceProvider', { detail: wallet.detail })
  page.addEventListener('eip6963:requestProvider', () => page.dispatchEvent(announcement))
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('dispatchEvent', page.dispatchEvent.bind(page))
  new Function(earlyWakeScript(rdns))()
  return wallet
}

const accountsOf = (wallet: unknown) => guarded(wallet)?.request({ method: 'eth_accounts' })

beforeEach(() => void vi.stubGlobal('window', globalThis))
afterEach(() => void Reflect.deleteProperty(globalThis, 'quorateEarlyWallet'))

test('a returning visitor’s wallet is asked once: its early answer is the first one that the page reads', async () => {
  const { provider, asked } = wake()
  expect(asked).toEqual(['eth_accounts', 'eth_chainId'])
  expect(await accountsOf(provider)).toEqual([account])
  expect(await guarded(provider)?.request({ method: 'eth_chainId' })).toBe('0x89')
  expect(asked).toHaveLength(2)
  await accountsOf(provider)
  expect(asked).toHaveLength(3)
})

test('an account that the visitor has left while the page loaded is not connected', async () => {
  const { provider, answers, emit } = wake()
  answers.eth_accounts = [other]
  await emit('accountsChanged')
  expect(await accountsOf(provider)).toEqual([other])
})

test('a wallet that failed while it woke is asked again', async () => {
  const wallet = goodWallet(rdns)
  const { provider, answers } = wallet
  delete answers.eth_accounts
  wake(wallet)
  answers.eth_accounts = [account]
  expect(await accountsOf(provider)).toEqual([account])
})

test('no other wallet is answered for', async () => {
  wake()
  const { provider, asked } = goodWallet()
  await accountsOf(provider)
  expect(asked).toEqual(['eth_accounts'])
})
