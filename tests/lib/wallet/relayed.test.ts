import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createConnector } from 'wagmi'
import { connect as connectWith, disconnect } from 'wagmi/actions'
import { addConnector } from '#lib/wallet/add-connector.ts'
import { connectLate, withSession } from '#lib/wallet/relayed.ts'
import { own as account, other as another } from './accounts.ts'
import { configWith } from './one-chain.ts'

const sessionWith = (...accounts: readonly string[]) => ({
  topic: 'the session',
  namespaces: { eip155: { accounts } },
})
type Session = ReturnType<typeof sessionWith>
type Update = (_: { params: Session }) => void

/** A wallet behind the relay, with the patched parts of the WalletConnect connector. */
function makeRelayed(session: Session | undefined) {
  const provider = {
    chainId: 137,
    accounts: [] as readonly string[],
    session,
    signer: {
      setDefaultChain: vi.fn(),
      disconnect: vi.fn(async () => {}),
      client: { session: { delete: vi.fn(async () => {}) } },
      async cleanup() {
        provider.session = undefined
      },
    },
    update: (() => {}) as Update,
    on(_: string, hear: Update) {
      provider.update = hear
    },
  }
  const ended = vi.fn()
  const connect = vi.fn(async () => ({ accounts: [account as string], chainId: 137 }))
  const config = configWith()
  const wallet = {
    id: 'walletConnect',
    name: 'WalletConnect',
    type: 'walletConnect',
    connect,
    disconnect: async () => {},
    getProvider: async () => provider,
    isAuthorized: async () => true,
    onAccountsChanged: ended,
  }
  const connector = addConnector(config, withSession(createConnector(() => wallet as never)))
  const changes: unknown[] = []
  connector.emitter.on('change', ({ accounts }) => changes.push(accounts))
  return { provider, connector, connect, ended, changes, config }
}

describe('a relay session', () => {
  let world: ReturnType<typeof makeRelayed>
  beforeEach(() => {
    world = makeRelayed(sessionWith(`eip155:137:${account}`))
  })

  test('continues when it has no account on the chain that the wallet has switched to', async () => {
    await world.connector.onAccountsChanged([])
    expect(world.ended).not.toHaveBeenCalled()
  })

  test('ends without accounts, and shows new ones', async () => {
    world.provider.session = undefined
    await world.connector.onAccountsChanged([])
    expect(world.ended).toHaveBeenLastCalledWith([])
    await world.connector.onAccountsChanged([another])
    expect(world.ended).toHaveBeenLastCalledWith([another])
  })

  test('shows the account of its chain when the wallet updates it, and nothing of other chains', async () => {
    await world.connector.connect()
    world.provider.update({ params: sessionWith(`eip155:1:${account}`, `eip155:137:${another}`) })
    world.provider.update({ params: sessionWith(`eip155:1:${account}`) })
    await expect.poll(() => world.changes).toEqual([[another]])
  })

  test.each([
    ['reconnects on a chain with an account when the page was left on another chain', [], [['eip155:137']]],
    ['stays on its chain where it has one there', [account], []],
  ])('%s', async (_, accounts, chosen) => {
    world.provider.accounts = accounts
    await world.connector.isAuthorized()
    expect(world.provider.signer.setDefaultChain.mock.calls).toEqual(chosen)
  })
})

describe('a visitor who disconnects', () => {
  test.each<[string, () => Promise<void>]>([
    ['while the relay is silent', () => new Promise(() => {})],
    ['while the browser is offline', async () => Promise.reject(new Error('No internet connection'))],
  ])('%s is disconnected within seconds, and the next pairing is a new one', async (_, answer) => {
    vi.useFakeTimers()
    const { config, connector, provider } = makeRelayed(sessionWith(`eip155:137:${account}`))
    await connectWith(config, { connector })
    expect(config.state.status).toBe('connected')
    provider.signer.disconnect.mockImplementation(answer)
    void disconnect(config).catch(() => {})
    await vi.advanceTimersByTimeAsync(3000)
    expect(config.state).toMatchObject({ status: 'disconnected', current: null })
    expect(provider.signer.client.session.delete).toHaveBeenCalledWith('the session', {
      code: 6000,
      message: expect.any(String),
    })
    expect(provider.session).toBeUndefined()
  })
})

describe('a pairing', () => {
  test('without a code after ten seconds says so, and goes on: its late code is that of the next try', async () => {
    vi.useFakeTimers()
    const { connector, connect } = makeRelayed(undefined)
    let approve = (_: { accounts: string[]; chainId: number }) => {}
    connect.mockImplementation(
      () =>
        new Promise((resolve) => {
          approve = resolve
        }),
    )
    const first = expect(connector.connect({})).rejects.toThrow('the WalletConnect relay cannot be reached')
    await vi.advanceTimersByTimeAsync(10_500)
    await first
    const again = connector.connect({})
    await vi.advanceTimersByTimeAsync(0)
    expect(connect).toHaveBeenCalledOnce()
    connector.emitter.emit('message', { type: 'display_uri', data: 'wc:1' })
    await vi.advanceTimersByTimeAsync(60_000)
    approve({ accounts: [account], chainId: 137 })
    expect(await again).toMatchObject({ accounts: [account] })
  })

  test('whose code comes late connects when the wallet has approved it', async () => {
    vi.useFakeTimers()
    const { connector, connect, config } = makeRelayed(undefined)
    connectLate(config, connector)
    const approved = { accounts: [account], chainId: 137 }
    connect.mockImplementationOnce(() => new Promise((resolve) => setTimeout(resolve, 60_000, approved)))
    const first = expect(connector.connect({})).rejects.toThrow('the WalletConnect relay cannot be reached')
    await vi.advanceTimersByTimeAsync(20_000)
    await first
    connector.emitter.emit('message', { type: 'display_uri', data: 'wc:1' })
    expect(config.state.status).toBe('disconnected')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(config.state).toMatchObject({ status: 'connected', current: connector.uid })
  })

  test('with a code that was shown is left alone by the next try', async () => {
    const { connector, connect } = makeRelayed(undefined)
    connect.mockImplementation(() => new Promise(() => {}))
    void connector.connect({})
    connector.emitter.emit('message', { type: 'display_uri', data: 'wc:1' })
    void connector.connect({})
    // Its own code: without one it would fail after the test.
    connector.emitter.emit('message', { type: 'display_uri', data: 'wc:2' })
    expect(connect).toHaveBeenCalledTimes(2)
  })
})
