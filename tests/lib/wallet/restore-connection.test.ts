import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createConnector } from 'wagmi'
import { connect, disconnect } from 'wagmi/actions'
import { addConnector } from '#lib/wallet/add-connector.ts'
import {
  type RestoreOptions,
  type RestoreOutcome,
  restoreConnection,
  restoreMsMax,
} from '#lib/wallet/restore-connection.ts'
import { knowAddress } from '#lib/wallet/wallet-values.ts'
import { configWith } from './one-chain.ts'

const known = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const callerControlled = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
knowAddress(known)
knowAddress(callerControlled)

/** A page with a returning visitor. Its wallet answers under control of the test, another wallet answers at once. */
function arrive(type = 'test') {
  const config = configWith({ address: known, chainId: 137, connectorId: 'last' })
  const left: string[] = []
  let answer = (_: boolean) => {}
  const ask = () =>
    new Promise<boolean>((resolve) => {
      answer = resolve
    })
  const add = (
    id: string,
    address: typeof known | typeof callerControlled,
    isAuthorized: () => Promise<boolean>,
  ) =>
    addConnector(
      config,
      createConnector(() => ({
        id,
        name: id,
        type,
        async connect() {
          // A wallet in the page is asked for its accounts once.
          const isKnown = type !== 'injected' || (await isAuthorized())
          return { accounts: isKnown ? [address] : [], chainId: 137 } as never
        },
        disconnect: async () => void left.push(id),
        getAccounts: async () => [address],
        getChainId: async () => 137,
        getProvider: async () => ({}),
        isAuthorized,
        onAccountsChanged() {},
        onChainChanged() {},
        onDisconnect() {},
      })),
    )
  const last = add('last', known, ask)
  const other = add('other', callerControlled, async () => true)
  const came: RestoreOutcome[] = []
  const come = (signal: AbortSignal, wallet: Partial<RestoreOptions> = {}) =>
    restoreConnection(
      config,
      { announced: Promise.resolve(last), load: async () => null, ...wallet, signal },
      (how) => came.push(how),
    )
  const giveUp = new AbortController()
  /** What the page does when the Reconnect button fails too. */
  const startAnew = () => {
    giveUp.abort()
    config.setState((state) => ({ ...state, connections: new Map(), current: null, status: 'disconnected' }))
  }
  return { config, answer: (yes: boolean) => answer(yes), last, other, left, came, come, giveUp, startAnew }
}

type World = ReturnType<typeof arrive>

/** The same page while its wallet is reconnecting. */
function comeHome(type?: string) {
  const world = arrive(type)
  world.come(world.giveUp.signal)
  return world
}
const accounts = ({ config }: Pick<World, 'config'>) =>
  [...config.state.connections.values()].map((one) => one.accounts[0])

describe('a wallet that reconnects', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('is connected, and its changes are followed', async () => {
    const world = comeHome()
    await vi.advanceTimersByTimeAsync(0)
    world.answer(true)
    await vi.advanceTimersByTimeAsync(0)
    expect(world.came).toEqual(['connected'])
    expect(world.config.state).toMatchObject({ status: 'connected', current: world.last.uid })
    world.last.emitter.emit('change', { accounts: [callerControlled] })
    expect(accounts(world)).toEqual([callerControlled])
  })

  test('and no longer knows this site leaves no account', async () => {
    const world = comeHome()
    await vi.advanceTimersByTimeAsync(0)
    world.answer(false)
    await vi.advanceTimersByTimeAsync(0)
    expect(world.came).toEqual(['refused'])
    expect(world.config.state).toMatchObject({ status: 'disconnected', current: null })
    expect(accounts(world)).toEqual([])
  })

  test('late is still connected, unless the visitor has given it up', async () => {
    const world = comeHome()
    await vi.advanceTimersByTimeAsync(restoreMsMax)
    expect(world.came).toEqual(['late'])
    expect(world.config.state.status).toBe('reconnecting')
    world.answer(true)
    await vi.advanceTimersByTimeAsync(0)
    expect(world.came).toEqual(['late', 'connected'])
    expect(world.config.state.status).toBe('connected')
    expect(accounts(world)).toEqual([known])
  })

  test.each([true, false])('too late does not replace another chosen wallet (%s)', async (yes) => {
    const world = comeHome()
    await vi.advanceTimersByTimeAsync(restoreMsMax)
    world.startAnew()
    await connect(world.config, { connector: world.other })
    world.answer(yes)
    await vi.advanceTimersByTimeAsync(0)
    expect(world.config.state).toMatchObject({ status: 'connected', current: world.other.uid })
    expect(accounts(world)).toEqual([callerControlled])
  })

  test('too late leaves no account next to a Connect button', async () => {
    const world = comeHome()
    await vi.advanceTimersByTimeAsync(restoreMsMax)
    world.startAnew()
    world.answer(true)
    await vi.advanceTimersByTimeAsync(0)
    expect(world.config.state).toMatchObject({ status: 'disconnected', current: null })
    expect(accounts(world)).toEqual([])
  })

  test('from the list does so at once, without waiting for announcements', async () => {
    const world = arrive()
    const announced = new Promise<never>(() => {})
    world.come(world.giveUp.signal, { announced, load: async () => world.other })
    await vi.advanceTimersByTimeAsync(0)
    expect(world.came).toEqual(['connected'])
  })

  test('is tried again by Reconnect, even if the first attempt never ends', async () => {
    const world = comeHome()
    await vi.advanceTimersByTimeAsync(restoreMsMax)
    world.giveUp.abort()
    world.come(new AbortController().signal)
    await vi.advanceTimersByTimeAsync(0)
    world.answer(true)
    await vi.advanceTimersByTimeAsync(restoreMsMax)
    expect(world.came).toEqual(['late', 'connected'])
    expect(accounts(world)).toEqual([known])
  })

  test('and takes six seconds to name its accounts is connected by then', async () => {
    const world = comeHome('injected')
    await vi.advanceTimersByTimeAsync(6000)
    world.answer(true)
    await vi.advanceTimersByTimeAsync(0)
    expect(world.came).toEqual(['late', 'connected'])
    expect(accounts(world)).toEqual([known])
  })

  test.each([
    ['walletConnect', ['last']],
    ['injected', []],
  ])('is ignored after Disconnect, and a session of %s ends', async (type, left) => {
    const world = comeHome(type)
    await vi.advanceTimersByTimeAsync(0)
    await disconnect(world.config)
    expect(world.config.state).toMatchObject({ status: 'disconnected', current: null })
    world.answer(true)
    await vi.advanceTimersByTimeAsync(restoreMsMax)
    expect(world.config.state).toMatchObject({ status: 'disconnected', current: null })
    expect(world.left).toEqual(left)
    expect(world.came).not.toContain('late')
  })
})
