import { describe, expect, test, vi } from 'vitest'
import { checkAccent } from '#lib/wallet/checks.ts'
import { createWalletConfig, toChain } from '#lib/wallet/config.ts'
import { createQueries } from '#lib/wallet/query-cache.ts'
import type { Visitor } from '#lib/wallet/visitor.ts'
import { own } from './accounts.ts'

const chains = [137, 1].map((id) => ({
  id,
  name: `Chain ${id}`,
  currency: { name: 'Coin', symbol: 'COIN', decimals: 18 },
  explorer: null,
  publicUrls: id === 1 ? ['https://node.example'] : [],
}))
const gateway = 'https://gateway.example'
const make = (visitor: Visitor | null = null) => createWalletConfig({ chains, gateway, visitor })
const visitor = { address: own, chainId: 1, connectorId: 'io.metamask' } as const

describe('the wallet configuration', () => {
  test('is created per request: visitors share no state', () => {
    make(visitor)
    expect(make().state).toMatchObject({ status: 'disconnected', current: null })
  })

  test('keeps an unsupported chain in the connection, and never reads from it', () => {
    const { state } = make({ ...visitor, chainId: 56 })
    expect([...state.connections.values()][0]?.chainId).toBe(56)
    expect(state.chainId).toBe(137)
  })

  test('offers wallets the public nodes of a chain, or the gateway if there are none', () => {
    const urls = chains.map((chain) => toChain(chain, gateway).rpcUrls.default.http)
    expect(urls).toEqual([['https://gateway.example/api/rpc/137'], ['https://node.example']])
  })

  test('gives a request ten seconds and three more tries', async () => {
    const fetched = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')))
    vi.stubGlobal('fetch', fetched)
    const client = make().getClient({ chainId: 137 })
    expect(client.transport).toMatchObject({ timeout: 10_000 })
    await expect(client.request({ method: 'eth_chainId' })).rejects.toThrow('HTTP request failed')
    expect(fetched).toHaveBeenCalledTimes(4)
  })

  test.each([
    ['keeps what was read for 24 hours', {}, 24 * 60 * 60 * 1000],
    ['holds no visitor’s reads on the server after the page is sent', undefined, Number.POSITIVE_INFINITY],
  ])('%s, asks once, also offline, and not again because a window has the focus', (_, window, gcTime) => {
    vi.stubGlobal('window', window)
    const once = { gcTime, retry: false, networkMode: 'offlineFirst' }
    expect(createQueries().getDefaultOptions()).toEqual({
      queries: { ...once, refetchOnWindowFocus: false },
      mutations: once,
    })
  })

  test('polls every four seconds and puts 1,024 bytes of calls into one multicall', () => {
    expect(make().getClient({ chainId: 137 })).toMatchObject({
      pollingInterval: 4000,
      batch: { multicall: { batchSize: 1024 } },
    })
  })
})

describe('the accent colour of a wallet icon', () => {
  test.each([{ iconAccent: '#fff' }, { iconAccent: '#FF5533' }, {}])('accepts %o', (wallet) => {
    expect(() => checkAccent({ name: 'Gold', ...wallet })).not.toThrow()
  })

  test.each(['gold', '#ff', '#ffff', '#ff55333', 'ff5533', '#gg0000'])(
    'must not be %s, and the error names the wallet',
    (iconAccent) => {
      expect(() => checkAccent({ name: 'Gold', iconAccent })).toThrow(
        'Property `iconAccent` is not a hex value for wallet: Gold',
      )
    },
  )
})
