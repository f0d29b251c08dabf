import { expect, test, vi } from 'vitest'
import { connect, disconnect } from 'wagmi/actions'
import { addConnector } from '#lib/wallet/add-connector.ts'
import { announcedConnector } from '#lib/wallet/announced-connector.ts'
import { guarded } from '#lib/wallet/injected.ts'
import { createReconnect } from '#lib/wallet/reconnect.ts'
import type { Visitor } from '#lib/wallet/visitor.ts'
import { knowAddress } from '#lib/wallet/wallet-values.ts'
import { own as account, other as another } from './accounts.ts'
import { goodWallet } from './hostile-wallet.ts'
import { configWith } from './one-chain.ts'

/** A page with a wallet that announces itself. */
function pageWith(visitor: Visitor | null = null) {
  const { provider: wallet, ...world } = goodWallet()
  const provider = guarded(wallet)
  if (!provider) throw new Error('it is a wallet')
  const config = configWith(visitor)
  const details = { id: 'wallet.example', name: 'Wallet', icon: 'data:image/svg+xml,' }
  const connector = addConnector(config, announcedConnector({ ...details, provider }))
  const heard = () => [...world.listeners].map(([event]) => event).toSorted()
  return { ...world, config, connector, heard }
}

test('a wallet that reconnects tells its changes until the visitor leaves', async () => {
  const { connector, heard } = pageWith()
  const connected = await connector.connect({ isReconnecting: true })
  expect(connected).toEqual({ accounts: [account], chainId: 137 })
  expect(heard()).toEqual(['accountsChanged', 'chainChanged', 'disconnect'])
  await connector.disconnect()
  expect(heard()).toEqual([])
})

test('an account that the wallet switches to is shown once, after a reconnect and after a connect', async () => {
  const { config, connector, emit, heard } = pageWith()
  await connector.connect({ isReconnecting: true })
  await connect(config, { connector })
  expect(heard().filter((event) => event === 'accountsChanged')).toHaveLength(1)
  await emit('accountsChanged', [another])
  expect([...config.state.connections.values()].map(({ accounts }) => accounts)).toEqual([[another]])
  await disconnect(config)
  expect(heard()).not.toContain('chainChanged')
})

test('a wallet that loses its chain for a moment stays connected, and one that ends does not', async () => {
  const { answers, connector, emit } = pageWith()
  const ended = vi.fn()
  connector.emitter.on('disconnect', ended)
  await connector.connect({ isReconnecting: true })
  await emit('disconnect', { code: 1013 })
  expect(ended).not.toHaveBeenCalled()
  answers.eth_accounts = []
  await emit('disconnect', { code: 1013 })
  expect(ended).toHaveBeenCalledOnce()
})

test('a wallet that tells its account and never answers is connected, and one that tells none is not', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const { answers, asked, config, connector, emit, heard } = pageWith()
  answers.eth_requestAccounts = new Promise(() => {})
  const connected = connect(config, { connector })
  await expect.poll(() => asked).toContain('eth_requestAccounts')
  await emit('accountsChanged', [])
  await vi.advanceTimersByTimeAsync(5000)
  expect(config.state.status).toBe('connecting')
  await emit('accountsChanged', [account])
  await vi.advanceTimersByTimeAsync(5000)
  expect(config.state.status).toBe('connected')
  expect(await connected).toEqual({ accounts: [account], chainId: 137 })
  expect(heard().filter((event) => event === 'accountsChanged')).toHaveLength(1)
})

test.each([6, 12, 18])(
  'a wallet that takes %i seconds to name its account is connected by then',
  async (s) => {
    vi.useFakeTimers()
    knowAddress(account)
    const { answers, config, connector } = pageWith({
      address: account,
      chainId: 137,
      connectorId: 'wallet.example',
    })
    const reconnect = createReconnect(config, async () => connector)
    answers.eth_accounts = new Promise((resolve) => setTimeout(resolve, s * 1000, [account]))
    void reconnect.start()
    await vi.advanceTimersByTimeAsync(s * 1000 - 1)
    expect(config.state.status).toBe('reconnecting')
    await vi.advanceTimersByTimeAsync(100)
    expect(reconnect.state()).toBe('connected')
    expect(config.state).toMatchObject({ status: 'connected', current: connector.uid })
  },
)
