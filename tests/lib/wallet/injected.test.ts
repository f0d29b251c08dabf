import fc from 'fast-check'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { guarded, silentMs, WalletError } from '#lib/wallet/injected.ts'
import { toAccounts, toChainId } from '#lib/wallet/wallet-values.ts'
import { own as account } from './accounts.ts'
import { anyInjected, anyValue, goodWallet, memberNames, unreadable } from './hostile-wallet.ts'

const guardOf = (wallet: unknown) => {
  const guard = guarded(wallet)
  if (!guard) throw new Error('must be a wallet')
  return guard
}

const noReason = 'The wallet gave no reason.'
/** The error of a wallet that rejects with this. */
const errorOf = (reason: unknown): Promise<unknown> =>
  guardOf({ request: () => Promise.reject(reason) })
    .request({ method: 'personal_sign' })
    .catch((error: unknown) => error)

describe('a wallet in the page, behind its guard', () => {
  beforeEach(() => void vi.useFakeTimers())

  test('can be read and called whatever it is made of, and fails with errors of one form', async () => {
    await fc.assert(
      fc.asyncProperty(anyInjected, anyValue, async (make, makeParams) => {
        const guard = guarded(make())
        const params = makeParams()
        if (!guard) return
        expect(await guard).toBe(guard)
        for (const name of memberNames) {
          const member = guard[name]
          if (typeof member === 'function' && name !== 'request') member('event', () => {})
        }
        for (const method of ['eth_accounts', 'eth_chainId']) {
          const outcome = guard.request({ method, params }).catch((error: unknown) => error)
          await vi.advanceTimersByTimeAsync(silentMs)
          const result = await outcome
          if (result instanceof Error) expect(result).toBeInstanceOf(WalletError)
          else if (method === 'eth_accounts') expect(await toAccounts(result)).toEqual(result)
          else expect(toChainId(result)).toBeGreaterThan(0)
        }
      }),
      { numRuns: 2000 },
    )
  })

  test.each([[null], [undefined], ['text'], [7], [{}], [{ request: 'no' }], [[]]])(
    '%o is no wallet',
    (value) => {
      expect(guarded(value)).toBeUndefined()
    },
  )

  test('what cannot be read is no wallet, no error, no account and no chain', async () => {
    expect(guarded(unreadable())).toBeUndefined()
    expect(await toAccounts(unreadable())).toBeUndefined()
    expect(toChainId(unreadable())).toBeUndefined()
    await expect(errorOf(unreadable())).resolves.toMatchObject({ message: noReason })
  })

  test('hears events without a way to stop, or by other names', () => {
    const heard: unknown[] = []
    const hear = (value: unknown) => heard.push(value)
    for (const on of ['on', 'addListener']) {
      const wallet = { request() {}, [on]: (_: string, listener: typeof hear) => listener(on) }
      guardOf(wallet).on('chainChanged', hear)
      guardOf(wallet).removeListener('chainChanged', hear)
    }
    expect(heard).toEqual(['on', 'addListener'])
  })

  test('keeps its members, also fixed ones', () => {
    const wallet = Object.freeze({ ...goodWallet().provider, isMetaMask: true })
    expect(guardOf(wallet).isMetaMask).toBe(true)
  })

  test.each([
    [null, { code: undefined, message: noReason }],
    ['declined', { code: undefined, message: 'declined' }],
    [
      { code: 4001, message: 'no' },
      { code: 4001, message: 'no' },
    ],
    [{ code: '4001' }, { code: undefined, message: noReason }],
    [{ data: { originalError: { code: 4902 } } }, { data: { originalError: { code: 4902 } } }],
  ])('what rejects with %o gives an error', async (reason, error) => {
    expect(await errorOf(reason)).toMatchObject({
      name: 'WalletError',
      walletMethod: 'personal_sign',
      ...error,
    })
  })

  test('is never asked a second time to send what it may have sent', async () => {
    const { provider, asked } = goodWallet()
    await expect(guardOf(provider).request({ method: 'wallet_sendTransaction' })).rejects.toMatchObject({
      code: -32601,
    })
    expect(asked).toEqual([])
  })

  test('that does not answer what needs no visitor fails after ten seconds; a visitor may take longer', async () => {
    const guard = guardOf({ request: () => new Promise(() => {}) })
    const settled: string[] = []
    for (const method of ['eth_chainId', 'eth_requestAccounts'])
      void guard.request({ method }).catch(() => settled.push(method))
    await vi.advanceTimersByTimeAsync(silentMs - 1)
    expect(settled).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(settled).toEqual(['eth_chainId'])
  })
})

describe('accounts and chains that wallets send', () => {
  test.each([
    ['0x89', 137],
    ['0X89', 137],
    ['137', 137],
    [137, 137],
    ['0x1fffffffffffff', Number.MAX_SAFE_INTEGER],
  ])('%o is chain %o', (value, chainId) => {
    expect(toChainId(value)).toBe(chainId)
  })

  test.each([
    ['above the safe integers', ['0x20000000000000', 1.2e24, '0xfe1a2b3c4d5e6f70819']],
    ['no positive integer', [0, '0x0', -1, 1.5]],
    ['no number', [null, undefined, true, 'loading', '', '0x']],
    ['in a form that no wallet sends', [137n, ['0x89'], { chainId: '0x89' }]],
  ])('what is %s is no chain', (_, values) => {
    expect(values.map(toChainId)).toEqual(values.map(() => undefined))
  })

  const ican = 'cb7147879011ea207df5b35a24ca6f0859dcfb145999'

  test.each([
    [[account], [account]],
    [[account.toLowerCase()], [account]],
    [[undefined, account], [account]],
    [[account, null, 7, ican], [account]],
    [[], []],
  ])('%o are the accounts %o', async (value, accounts) => {
    expect(await toAccounts(value)).toEqual(accounts)
  })

  test.each([
    ['a list of none', [[undefined], [ican], [[account]]]],
    ['no list', [account, '', null, undefined, { 0: account, length: 1 }]],
  ])('%s gives no accounts', async (_, values) => {
    expect(await Promise.all(values.map(toAccounts))).toEqual(values.map(() => undefined))
  })
})
