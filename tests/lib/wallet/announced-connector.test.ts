import { expect, test } from 'vitest'
import { connect, disconnect } from 'wagmi/actions'
import { addConnector } from '#lib/wallet/add-connector.ts'
import { announcedConnector } from '#lib/wallet/announced-connector.ts'
import { guarded } from '#lib/wallet/injected.ts'
import { configWith } from './one-chain.ts'

const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const another = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** A page with a wallet of these listeners. */
function pageWith() {
  const listeners = new Map<string, Set<(value: unknown) => void>>()
  const of = (event: string) =>
    listeners.get(event) ?? listeners.set(event, new Set()).get(event) ?? new Set()
  const wallet = {
    accounts: [account],
    request: async ({ method }: { method: string }) => (method === 'eth_chainId' ? '0x89' : wallet.accounts),
    on: (event: string, listener: (value: unknown) => void) => void of(event).add(listener),
    removeListener: (event: string, listener: (value: unknown) => void) => void of(event).delete(listener),
  }
  const provider = guarded(wallet)
  if (!provider) throw new Error('it is a wallet')
  const config = configWith()
  const connector = addConnector(
    config,
    announcedConnector({ id: 'wallet.example', name: 'Wallet', icon: 'data:image/svg+xml,', provider }),
  )
  const tell = async (event: string, value: unknown) => {
    for (const listener of [...of(event)]) await listener(value)
  }
  return { wallet, config, connector, tell, of }
}

test('a wallet that reconnects tells its changes until the visitor leaves', async () => {
  const { connector, of } = pageWith()
  const connected = await connector.connect({ isReconnecting: true })
  expect(connected).toEqual({ accounts: [account], chainId: 137 })
  expect([...'accountsChanged chainChanged disconnect'.split(' ')].map((event) => of(event).size)).toEqual([
    1, 1, 1,
  ])
  await connector.disconnect()
  expect(of('accountsChanged').size + of('chainChanged').size + of('disconnect').size).toBe(0)
})

test('an account that the wallet switches to is shown once, after a reconnect and after a connect', async () => {
  const { config, connector, tell, of } = pageWith()
  await connector.connect({ isReconnecting: true })
  await connect(config, { connector })
  expect(of('accountsChanged').size).toBe(1)
  await tell('accountsChanged', [another])
  expect([...config.state.connections.values()].map(({ accounts }) => accounts)).toEqual([[another]])
  await disconnect(config)
  expect(of('chainChanged').size).toBe(0)
})

test('a wallet that loses its chain for a moment stays connected, and one that ends does not', async () => {
  const { wallet, connector, tell } = pageWith()
  let ended = 0
  connector.emitter.on('disconnect', () => {
    ended += 1
  })
  await connector.connect({ isReconnecting: true })
  await tell('disconnect', { code: 1013 })
  expect(ended).toBe(0)
  wallet.accounts = []
  await tell('disconnect', { code: 1013 })
  expect(ended).toBe(1)
})
