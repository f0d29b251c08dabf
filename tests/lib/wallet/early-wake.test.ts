import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { earlyWakeScript } from '#lib/wallet/early-wake.ts'
import { guarded } from '#lib/wallet/injected.ts'
import { encodeVisitor } from '#lib/wallet/visitor.ts'
import { account } from './hostile-wallet.ts'

const rdns = 'a.wallet'

/** A wallet that counts what it is asked, and answers with what `accounts` has then. */
function createWallet() {
  const listeners = new Map<string, () => void>()
  const asked: string[] = []
  const wallet = {
    accounts: [account] as readonly string[],
    async request({ method }: { method: string }) {
      asked.push(method)
      if (method === 'eth_chainId') return '0x1'
      if (wallet.accounts.length === 0) throw new Error('waking')
      return wallet.accounts
    },
    on: (event: string, listener: () => void) => void listeners.set(event, listener),
  }
  return { wallet, asked, emit: (event: string) => listeners.get(event)?.() }
}

/** Runs the script as the page does, with a wallet that announces itself. */
function wake(wallet: unknown): void {
  const page = new EventTarget()
  const announce = () =>
    page.dispatchEvent(
      Object.assign(new Event('eip6963:announceProvider'), { detail: { info: { rdns }, provider: wallet } }),
    )
  page.addEventListener('eip6963:requestProvider', announce)
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('dispatchEvent', page.dispatchEvent.bind(page))
  new Function(earlyWakeScript)()
}

const accountsOf = (wallet: unknown) => guarded(wallet)?.request({ method: 'eth_accounts' })

beforeEach(() => {
  const cookie = encodeVisitor({ address: account, chainId: 1, connectorId: rdns })
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('document', { cookie: `quorate-wallet=${cookie}` })
})
afterEach(() => {
  vi.unstubAllGlobals()
  Reflect.deleteProperty(globalThis, 'quorateEarlyWallet')
})

test('a returning visitor’s wallet is asked once: its early answer is the first one that the page reads', async () => {
  const { wallet, asked } = createWallet()
  wake(wallet)
  expect(asked).toEqual(['eth_accounts', 'eth_chainId'])
  expect(await accountsOf(wallet)).toEqual([account])
  expect(await guarded(wallet)?.request({ method: 'eth_chainId' })).toBe('0x1')
  expect(asked).toHaveLength(2)
  await accountsOf(wallet)
  expect(asked).toHaveLength(3)
})

test('an account that the visitor has left while the page loaded is not connected', async () => {
  const { wallet, emit } = createWallet()
  const other = `0x${'2'.repeat(40)}`
  wake(wallet)
  wallet.accounts = [other]
  emit('accountsChanged')
  expect(await accountsOf(wallet)).toEqual([other])
})

test('a wallet that failed while it woke is asked again', async () => {
  const { wallet } = createWallet()
  wallet.accounts = []
  wake(wallet)
  wallet.accounts = [account]
  expect(await accountsOf(wallet)).toEqual([account])
})

test('no other wallet is answered for', async () => {
  const { wallet } = createWallet()
  const other = createWallet()
  wake(wallet)
  await accountsOf(other.wallet)
  expect(other.asked).toEqual(['eth_accounts'])
})
