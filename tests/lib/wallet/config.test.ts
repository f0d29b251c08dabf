import { describe, expect, test } from 'vitest'
import { createWalletConfig, toChain } from '#lib/wallet/config.ts'

const chains = [137, 1].map((id) => ({
  id,
  name: `Chain ${id}`,
  currency: { name: 'Coin', symbol: 'COIN', decimals: 18 },
  explorer: null,
  publicUrls: id === 1 ? ['https://node.example'] : [],
}))
const visitor = {
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  chainId: 1,
  connectorId: 'io.metamask',
} as const
const make = (who: typeof visitor | null, more: object = {}) =>
  createWalletConfig({ chains, gateway: 'https://gateway.example', visitor: who && { ...who, ...more } })

describe('the wallet configuration', () => {
  test('is made anew each time: no visitor is in another one’s', () => {
    make(visitor)
    expect(make(null).state).toMatchObject({ status: 'disconnected', current: null })
  })

  test('shows a returning visitor as reconnecting, with address and chain', () => {
    const { state } = make(visitor)
    expect(state.status).toBe('reconnecting')
    expect(state.chainId).toBe(1)
    expect([...state.connections.values()]).toMatchObject([{ accounts: [visitor.address], chainId: 1 }])
  })

  test('keeps a wallet’s foreign chain in its connection, and never reads from it', () => {
    const { state } = make(visitor, { chainId: 56 })
    expect([...state.connections.values()][0]?.chainId).toBe(56)
    expect(state.chainId).toBe(137)
  })

  test('carries no connector and keeps nothing by itself', () => {
    const config = make(visitor)
    expect(config.connectors).toEqual([])
    expect(config.storage).toBeNull()
  })

  test('offers wallets the public nodes of a chain, and the gateway where there are none', () => {
    const urls = chains.map((chain) => toChain(chain, 'https://gateway.example').rpcUrls.default.http)
    expect(urls).toEqual([['https://gateway.example/api/rpc/137'], ['https://node.example']])
  })

  test('polls as the seed says', () => {
    expect(make(null).getClient({ chainId: 137 })).toMatchObject({
      pollingInterval: 4000,
      batch: { multicall: { batchSize: 1024 } },
    })
  })
})
