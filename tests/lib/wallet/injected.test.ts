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
    const wallet = { request: () => Promise.reject(unreadable()) }
    await expect(guardOf(wallet).request({ method: 'personal_sign' })).rejects.toThrow(
      'The wallet gave no reason.',
    )
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
    [null, undefined, 'The wallet gave no reason.'],
    ['declined', undefined, 'declined'],
    [{ code: 4001, message: 'no' }, 4001, 'no'],
    [{ code: '4001' }, undefined, 'The wallet gave no reason.'],
  ])('what rejects with %o gives an error', async (reason, code, message) => {
    const wallet = { request: () => Promise.reject(reason) }
    const error = await guardOf(wallet)
      .request({ method: 'personal_sign' })
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'WalletError', code, message, walletMethod: 'personal_sign' })
  })

  test('the code of an error one level deeper is kept', async () => {
    const wallet = { request: () => Promise.reject({ data: { originalError: { code: 4902 } } }) }
    await expect(guardOf(wallet).request({ method: 'eth_chainId' })).rejects.toMatchObject({
      data: { originalError: { code: 4902 } },
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
    ['0x20000000000000', undefined],
    [1.2e24, undefined],
    ['0xfe1a2b3c4d5e6f70819', undefined],
    [0, undefined],
    ['0x0', undefined],
    [-1, undefined],
    [1.5, undefined],
    [null, undefined],
    [undefined, undefined],
    ['loading', undefined],
    ['', undefined],
    ['0x', undefined],
    [{ chainId: '0x89' }, undefined],
    [['0x89'], undefined],
    [137n, undefined],
    [true, undefined],
  ])('%o is chain %o', (value, chainId) => {
    expect(toChainId(value)).toBe(chainId)
  })

  const ican = 'cb7147879011ea207df5b35a24ca6f0859dcfb145999'

  test.each([
    [[account], [account]],
    [[account.toLowerCase()], [account]],
    [[undefined, account], [account]],
    [[account, null, 7, ican], [account]],
    [[], []],
    [[undefined], undefined],
    [[ican], undefined],
    [account, undefined],
    ['', undefined],
    [null, undefined],
    [undefined, undefined],
    [{ 0: account, length: 1 }, undefined],
    [[[account]], undefined],
  ])('%o are the accounts %o', async (value, accounts) => {
    expect(await toAccounts(value)).toEqual(accounts)
  })
})
