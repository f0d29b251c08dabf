import { beforeEach, describe, expect, test, vi } from 'vitest'
import { connect as connectWith, disconnect } from 'wagmi/actions'
import { addConnector } from '#lib/wallet/add-connector.ts'
import { connectLate, withSession } from '#lib/wallet/relayed.ts'
import { own as account, other as another } from './accounts.ts'
import { configWith, walletOf } from './one-chain.ts'

const sessionWith = (...accounts: readonly string[]) => ({
  topic: 'the session',
  namespaces: { eip155: { accounts } },
})
type Update = (_: { params: ReturnType<typeof sessionWith> }) => void
const approved = { accounts: [account as string], chainId: 137 }

/** A wallet behind the relay, with the patched parts of the WalletConnect connector. */
function makeRelayed(...accounts: readonly string[]) {
  const provider = {
    chainId: 137,
    accounts: [] as readonly string[],
    session: accounts.length > 0 ? sessionWith(...accounts) : undefined,
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
  const connect = vi.fn(async () => approved)
  const config = configWith()
  const wallet = {
    connect,
    disconnect: async () => {},
    getProvider: async () => provider,
    isAuthorized: async () => true,
    onAccountsChanged: ended,
  }
  const connector = addConnector(config, withSession(walletOf('walletConnect', wallet)))
  const changes: unknown[] = []
  connector.emitter.on('change', ({ accounts }) => changes.push(accounts))
  /** The code that the wallet scans. */
  const show = (data = 'wc:1') => connector.emitter.emit('message', { type: 'display_uri', data })
  /** Connects, and waits for this time in vain. */
  async function connectInVain(ms: number) {
    const first = expect(connector.connect({})).rejects.toThrow('the WalletConnect relay cannot be reached')
    await vi.advanceTimersByTimeAsync(ms)
    await first
  }
  return { provider, connector, connect, ended, changes, config, show, connectInVain }
}

describe('a relay session', () => {
  let world: ReturnType<typeof makeRelayed>
  beforeEach(() => {
    world = makeRelayed(`eip155:137:${account}`)
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
    const { config, connector, provider } = makeRelayed(`eip155:137:${account}`)
    await connectWith(config, { connector })
    expect(config.state.status).toBe('connected')
    provider.signer.disconnect.mockImplementation(answer)
    void disconnect(config).catch(() => {})
    await vi.advanceTimersByTimeAsync(3000)
    expect(config.state).toMatchObject({ status: 'disconnected', current: null })
    const reason = { code: 6000, message: expect.any(String) }
    expect(provider.signer.client.session.delete).toHaveBeenCalledWith('the session', reason)
    expect(provider.session).toBeUndefined()
  })
})

describe('a pairing', () => {
  test('without a code after ten seconds says so, and goes on: its late code is that of the next try', async () => {
    vi.useFakeTimers()
    const { connector, connect, show, connectInVain } = makeRelayed()
    let approve = (_: typeof approved) => {}
    connect.mockImplementation(() => new Promise((resolve) => (approve = resolve)))
    await connectInVain(10_500)
    const again = connector.connect({})
    await vi.advanceTimersByTimeAsync(0)
    expect(connect).toHaveBeenCalledOnce()
    show()
    await vi.advanceTimersByTimeAsync(60_000)
    approve(approved)
    expect(await again).toMatchObject({ accounts: [account] })
  })

  test('whose code comes late connects when the wallet has approved it', async () => {
    vi.useFakeTimers()
    const { connector, connect, config, show, connectInVain } = makeRelayed()
    connectLate(config, connector)
    connect.mockImplementationOnce(() => new Promise((resolve) => setTimeout(resolve, 60_000, approved)))
    await connectInVain(20_000)
    show()
    expect(config.state.status).toBe('disconnected')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(config.state).toMatchObject({ status: 'connected', current: connector.uid })
  })

  test('with a code that was shown is left alone by the next try', async () => {
    const { connector, connect, show } = makeRelayed()
    connect.mockImplementation(() => new Promise(() => {}))
    void connector.connect({})
    show()
    void connector.connect({})
    // Its own code: without one it would fail after the test.
    show('wc:2')
    expect(connect).toHaveBeenCalledTimes(2)
  })
})
