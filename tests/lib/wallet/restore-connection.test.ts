import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createConnector } from 'wagmi'
import { connect, disconnect } from 'wagmi/actions'
import { addConnector } from '#lib/wallet/add-connector.ts'
import { type RestoreOutcome, restoreConnection, restoreMsMax } from '#lib/wallet/restore-connection.ts'
import { knowAddress } from '#lib/wallet/wallet-values.ts'
import { other as callerControlled, own as known } from './accounts.ts'
import { configWith } from './one-chain.ts'

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
  const come = (signal: AbortSignal) =>
    restoreConnection(config, { wallet: Promise.resolve(last), signal }, (how) => came.push(how))
  const giveUp = new AbortController()
  come(giveUp.signal)
  /** What the page does when the Reconnect button fails too. */
  const startAnew = () => {
    giveUp.abort()
    config.setState((state) => ({ ...state, connections: new Map(), current: null, status: 'disconnected' }))
  }
  const accounts = () => [...config.state.connections.values()].map((one) => one.accounts[0])
  const answerNow = async (yes: boolean) => {
    answer(yes)
    await vi.advanceTimersByTimeAsync(0)
  }
  const pass = async (ms = 0) => void (await vi.advanceTimersByTimeAsync(ms))
  return { config, answer: answerNow, pass, accounts, last, other, left, came, come, giveUp, startAnew }
}

describe('a wallet that reconnects', () => {
  beforeEach(() => void vi.useFakeTimers())

  test('is connected, and its changes are followed', async () => {
    const { answer, pass, accounts, config, last, came } = arrive()
    await pass()
    await answer(true)
    expect(came).toEqual(['connected'])
    expect(config.state).toMatchObject({ status: 'connected', current: last.uid })
    last.emitter.emit('change', { accounts: [callerControlled] })
    expect(accounts()).toEqual([callerControlled])
  })

  test('and no longer knows this site leaves no account', async () => {
    const { answer, pass, accounts, config, came } = arrive()
    await pass()
    await answer(false)
    expect(came).toEqual(['refused'])
    expect(config.state).toMatchObject({ status: 'disconnected', current: null })
    expect(accounts()).toEqual([])
  })

  test('late is still connected, unless the visitor has given it up', async () => {
    const { answer, pass, accounts, config, came } = arrive()
    await pass(restoreMsMax)
    expect(came).toEqual(['late'])
    expect(config.state.status).toBe('reconnecting')
    await answer(true)
    expect(came).toEqual(['late', 'connected'])
    expect(config.state.status).toBe('connected')
    expect(accounts()).toEqual([known])
  })

  test.each([true, false])('too late does not replace another chosen wallet (%s)', async (yes) => {
    const { answer, pass, accounts, config, other, startAnew } = arrive()
    await pass(restoreMsMax)
    startAnew()
    await connect(config, { connector: other })
    await answer(yes)
    expect(config.state).toMatchObject({ status: 'connected', current: other.uid })
    expect(accounts()).toEqual([callerControlled])
  })

  test('too late leaves no account next to a Connect button', async () => {
    const { answer, pass, accounts, config, startAnew } = arrive()
    await pass(restoreMsMax)
    startAnew()
    await answer(true)
    expect(config.state).toMatchObject({ status: 'disconnected', current: null })
    expect(accounts()).toEqual([])
  })

  test.each([
    ['walletConnect', ['last']],
    ['injected', []],
  ])('is ignored after Disconnect, and a session of %s ends', async (type, left) => {
    const world = arrive(type)
    await world.pass()
    await disconnect(world.config)
    expect(world.config.state).toMatchObject({ status: 'disconnected', current: null })
    await world.answer(true)
    await world.pass(restoreMsMax)
    expect(world.config.state).toMatchObject({ status: 'disconnected', current: null })
    expect(world.left).toEqual(left)
    expect(world.came).not.toContain('late')
  })
})
