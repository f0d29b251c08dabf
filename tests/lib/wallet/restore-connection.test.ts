import { beforeEach, describe, expect, test, vi } from 'vitest'
import { connect, disconnect } from 'wagmi/actions'
import { addConnector } from '#lib/wallet/add-connector.ts'
import { type RestoreOutcome, restoreConnection, restoreMsMax } from '#lib/wallet/restore-connection.ts'
import { knowAddress } from '#lib/wallet/wallet-values.ts'
import { other as callerControlled, own as known } from './accounts.ts'
import { configWith, walletOf } from './one-chain.ts'

const disconnected = { status: 'disconnected', current: null } as const
knowAddress(known)
knowAddress(callerControlled)

/** A page with a returning visitor. Its wallet answers under control of the test, another wallet answers at once. */
async function arrive({ type = 'test', waitMs = 0 } = {}) {
  const config = configWith({ address: known, chainId: 137, connectorId: 'last' })
  const left: string[] = []
  const add = (id: string, address: string, isAuthorized: () => Promise<boolean>) => {
    const wallet = {
      // A wallet in the page is asked for its accounts once.
      async connect() {
        return { accounts: type !== 'injected' || (await isAuthorized()) ? [address] : [], chainId: 137 }
      },
      disconnect: async () => void left.push(id),
      getAccounts: async () => [address],
      getChainId: async () => 137,
      getProvider: async () => ({}),
      isAuthorized,
    }
    return addConnector(config, walletOf(type, wallet, id))
  }
  let answer = (_: boolean) => {}
  const last = add('last', known, () => new Promise((resolve) => (answer = resolve)))
  const other = add('other', callerControlled, async () => true)
  const came: RestoreOutcome[] = []
  const giveUp = new AbortController()
  const attempt = { wallet: Promise.resolve(last), signal: giveUp.signal }
  restoreConnection(config, attempt, (how) => came.push(how))
  await vi.advanceTimersByTimeAsync(waitMs)
  return {
    ...{ config, last, other, left, came },
    accounts: () => [...config.state.connections.values()].map((one) => one.accounts[0]),
    async answer(yes: boolean) {
      answer(yes)
      await vi.advanceTimersByTimeAsync(0)
    },
    /** What the page does when the Reconnect button fails too. */
    startAnew() {
      giveUp.abort()
      config.setState((state) => ({ ...state, connections: new Map(), ...disconnected }))
    },
  }
}
const late = { waitMs: restoreMsMax }

describe('a wallet that reconnects', () => {
  beforeEach(() => void vi.useFakeTimers())

  test('is connected, and its changes are followed', async () => {
    const { answer, accounts, config, last, came } = await arrive()
    await answer(true)
    expect(came).toEqual(['connected'])
    expect(config.state).toMatchObject({ status: 'connected', current: last.uid })
    last.emitter.emit('change', { accounts: [callerControlled] })
    expect(accounts()).toEqual([callerControlled])
  })

  test('and no longer knows this site leaves no account', async () => {
    const { answer, accounts, config, came } = await arrive()
    await answer(false)
    expect(came).toEqual(['refused'])
    expect(config.state).toMatchObject(disconnected)
    expect(accounts()).toEqual([])
  })

  test('late is still connected, unless the visitor has given it up', async () => {
    const { answer, accounts, config, came } = await arrive(late)
    expect(came).toEqual(['late'])
    expect(config.state.status).toBe('reconnecting')
    await answer(true)
    expect(came).toEqual(['late', 'connected'])
    expect(config.state.status).toBe('connected')
    expect(accounts()).toEqual([known])
  })

  test.each([true, false])('too late does not replace another chosen wallet (%s)', async (yes) => {
    const { answer, accounts, config, other, startAnew } = await arrive(late)
    startAnew()
    await connect(config, { connector: other })
    await answer(yes)
    expect(config.state).toMatchObject({ status: 'connected', current: other.uid })
    expect(accounts()).toEqual([callerControlled])
  })

  test('too late leaves no account next to a Connect button', async () => {
    const { answer, accounts, config, startAnew } = await arrive(late)
    startAnew()
    await answer(true)
    expect(config.state).toMatchObject(disconnected)
    expect(accounts()).toEqual([])
  })

  test.each([
    ['walletConnect', ['last']],
    ['injected', []],
  ])('is ignored after Disconnect, and a session of %s ends', async (type, ended) => {
    const { config, answer, left, came } = await arrive({ type })
    await disconnect(config)
    expect(config.state).toMatchObject(disconnected)
    await answer(true)
    await vi.advanceTimersByTimeAsync(restoreMsMax)
    expect(config.state).toMatchObject(disconnected)
    expect(left).toEqual(ended)
    expect(came).not.toContain('late')
  })
})
