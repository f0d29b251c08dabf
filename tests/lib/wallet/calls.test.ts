import { expect, test, vi } from 'vitest'
import { createConnector } from 'wagmi'
import { addConnector } from '#lib/wallet/add-connector.ts'
import { hasOwners, isAtomic, readWalletStatus, sendBatch } from '#lib/wallet/calls.ts'
import { own as account } from './accounts.ts'
import { configWith } from './one-chain.ts'
import { recordOf } from './record.ts'

/** A page that is connected with a wallet of this type. */
function connected(type: string, provider: unknown) {
  const config = configWith()
  const wallet = {
    id: type,
    name: type,
    type,
    getProvider: async () => provider,
    getChainId: async () => 137,
  }
  const connector = addConnector(
    config,
    createConnector(() => wallet as never),
  )
  const { uid } = connector
  config.setState((state) => ({
    ...state,
    status: 'connected',
    current: uid,
    connections: new Map([[uid, { accounts: [account], chainId: 137, connector }]]),
  }))
  return config
}

const peer = (url: string) => ({ session: { peer: { metadata: { url } } } })

test.each([
  ['a Safe in its own frame', 'safe', {}, true],
  ['a Safe behind the relay', 'walletConnect', peer('https://app.safe.global'), true],
  ['a Safe with a slash at the end', 'walletConnect', peer('https://app.safe.global/'), true],
  ['a Safe with a path', 'walletConnect', peer('https://safe.global/wallet'), true],
  ['a name that ends alike', 'walletConnect', peer('https://notsafe.global'), false],
  ['a name that begins alike', 'walletConnect', peer('https://safe.global.example'), false],
  ['another wallet behind the relay', 'walletConnect', peer('https://rainbow.me'), false],
  ['no address', 'walletConnect', peer('safe.global'), false],
  ['nothing', 'walletConnect', peer(''), false],
  ['a session that is gone', 'walletConnect', {}, false],
  ['a wallet in the browser', 'injected', {}, false],
])('has several owners or not: %s', async (_, type, provider, expected) => {
  expect(await hasOwners(connected(type, provider))).toBe(expected)
})

test.each([7, {}, null, '0x12', [`0x${'a'.repeat(64)}`]])(
  'what a Safe returns in place of the hash is not shown as one: %j',
  async (transactionHash) => {
    expect(await statusOf({ status: 200, receipts: [{ transactionHash }] })).toEqual({})
  },
)

test('a Safe returns the hash of what its owners have sent', async () => {
  expect(await statusOf({ status: 200, receipts: [receipt] })).toEqual({ sentAs: hash })
})

/** The status of a transaction whose wallet answers so. */
function statusOf(answer: object) {
  const provider = {
    request: async () => ({ version: '2.0.0', id: '0x1', chainId: '0x89', atomic: true, ...answer }),
  }
  return readWalletStatus(recordOf(), connected('safe', provider))
}

const [hash, second] = [`0x${'a'.repeat(64)}`, `0x${'b'.repeat(64)}`] as const
const receipt = { transactionHash: hash, status: '0x1' }

/** What a wallet's answer says of two calls that it was asked for as one. */
function batchStatusOf(answer: unknown) {
  const request = async () => {
    if (answer instanceof Error) throw answer
    return answer
  }
  const call = { to: account, value: '0x0', data: '0x' } as const
  const record = recordOf({ batchId: 'batch 7', sentAs: null, reviewed: call, others: [call] })
  return readWalletStatus(record, connected('injected', { request }))
}

test.each([
  ['is waiting, as Safe is for days', { status: 100 }, {}],
  ['has sent one transaction', { status: 200, atomic: true, receipts: [receipt] }, { sentAs: hash }],
  ['has one receipt for each call', { status: 200, receipts: [receipt, receipt] }, { sentAs: hash }],
  ['calls a success a failure', { status: 500, receipts: [receipt] }, { sentAs: hash }],
  ['speaks as version 1', { status: 'CONFIRMED', receipts: [receipt] }, { sentAs: hash }],
  ['waits in the words of version 1', { status: 'PENDING' }, {}],
  ['has the first receipt of several', { status: 100, receipts: [receipt] }, {}],
  ['has the receipt of all early', { status: 100, atomic: true, receipts: [receipt] }, { sentAs: hash }],
  [
    'has sent two transactions all the same',
    { status: 200, receipts: [receipt, { transactionHash: second }] },
    { hashes: [hash, second] },
  ],
  ['dropped them, in MetaMask’s words', { status: 500 }, { status: 'untracked' }],
  ['will not send them', { status: 400, receipts: [] }, { status: 'untracked' }],
  ['has sent something that it does not name', { status: 200 }, {}],
  ['does not know them', Object.assign(new Error('unknown'), { code: 5730 }), {}],
  ['says nothing', null, {}],
  ['says anything', { status: {}, receipts: 'none' }, {}],
  ['names a hash that is none', { status: 200, receipts: [{ transactionHash: '0x12' }] }, {}],
])('a wallet that was asked for several calls and %s', async (_, answer, sighting) => {
  expect(await batchStatusOf(answer)).toEqual(sighting)
})

test('a wallet with another account is not asked for the calls of this one', async () => {
  const record = recordOf({ from: `0x${'1'.repeat(40)}`, batchId: '7', sentAs: null })
  const provider = { request: async () => ({ status: 200, receipts: [receipt] }) }
  expect(await readWalletStatus(record, connected('injected', provider))).toEqual({})
})

test.each([
  ['supported', { '0x89': { atomic: { status: 'supported' } } }, true],
  ['ready, after an upgrade of the account', { '0x89': { atomic: { status: 'ready' } } }, true],
  ['unsupported', { '0x89': { atomic: { status: 'unsupported' } } }, false],
  ['supported on another network', { '0x1': { atomic: { status: 'supported' } } }, false],
  ['supported on every network', { '0x0': { atomic: { status: 'supported' } } }, true],
  ['supported everywhere but here', { '0x0': { atomic: { status: 'supported' } }, '0x89': {} }, false],
  ['supported in the words of version 1', { '0x89': { atomicBatch: { supported: true } } }, true],
  ['anything', 'yes', false],
])('a wallet whose capability is %s', async (_, answer, expected) => {
  const asked: unknown[] = []
  const provider = {
    request: async (request: unknown) => {
      asked.push(request)
      return answer
    },
  }
  expect(await isAtomic(connected('injected', provider), 137)).toBe(expected)
  expect(asked).toEqual([{ method: 'wallet_getCapabilities', params: [account, ['0x89']] }])
})

test.each([
  ['knows no capabilities', () => Promise.reject(new Error('no such method'))],
  ['does not answer', () => new Promise(() => {})],
])('a wallet that %s carries out nothing as one', async (_, request) => {
  vi.useFakeTimers()
  const answer = isAtomic(connected('injected', { request }), 137)
  await vi.runAllTimersAsync()
  expect(await answer).toBe(false)
})

test.each([['an id'], [{ id: 'an id' }]])(
  'all or none of the calls are asked for, of the checksummed account, and the wallet’s id counts: %j',
  async (answer) => {
    const asked: { readonly method: string; readonly params?: unknown }[] = []
    const provider = {
      request: async (request: { readonly method: string }) => {
        asked.push(request)
        return answer
      },
    }
    const call = { from: account, to: account, value: 3n, data: '0x12' } as const
    const config = connected('injected', provider)
    const calls = [call, { ...call, data: '0x' }] as const
    expect(await sendBatch(config, { id: hash, chainId: 137, calls })).toBe('an id')
    const [first, bare] = [
      { to: account, value: '0x3', data: '0x12' },
      { to: account, value: '0x3' },
    ]
    const batch = { version: '2.0.0', id: hash, from: account, chainId: '0x89', atomicRequired: true }
    expect(asked).toEqual([{ method: 'wallet_sendCalls', params: [{ ...batch, calls: [first, bare] }] }])
  },
)
