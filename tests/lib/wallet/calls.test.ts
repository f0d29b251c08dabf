import { expect, test, vi } from 'vitest'
import { addConnector } from '#lib/wallet/add-connector.ts'
import { hasOwners, isAtomic, readWalletStatus, sendBatch } from '#lib/wallet/calls.ts'
import { own as account } from './accounts.ts'
import { configWith, walletOf } from './one-chain.ts'
import { recordOf } from './record.ts'

/** A page that is connected with a wallet of this type. */
function connected(type: string, provider: unknown) {
  const config = configWith()
  const members = { getProvider: async () => provider, getChainId: async () => 137 }
  const connector = addConnector(config, walletOf(type, members))
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

const [hash, second] = [`0x${'a'.repeat(64)}`, `0x${'b'.repeat(64)}`] as const
const receipt = { transactionHash: hash, status: '0x1' }
const providerWith = (answer: unknown) => ({
  request: vi.fn(async (_: unknown) => (answer instanceof Error ? Promise.reject(answer) : answer)),
})

test.each<[unknown, object]>([
  [hash, { sentAs: hash }],
  [7, {}],
  [{}, {}],
  [null, {}],
  ['0x12', {}],
  [[hash], {}],
])('of a Safe only a hash is what its owners have sent: %j', async (transactionHash, sighting) => {
  const answer = { version: '2.0.0', id: '0x1', chainId: '0x89', atomic: true, status: 200 }
  const provider = providerWith({ ...answer, receipts: [{ transactionHash }] })
  expect(await readWalletStatus(recordOf(), connected('safe', provider))).toEqual(sighting)
})

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
  const call = { to: account, value: '0x0', data: '0x' } as const
  const record = recordOf({ batchId: 'batch 7', sentAs: null, reviewed: call, others: [call] })
  expect(await readWalletStatus(record, connected('injected', providerWith(answer)))).toEqual(sighting)
})

test('a wallet with another account is not asked for the calls of this one', async () => {
  const record = recordOf({ from: `0x${'1'.repeat(40)}`, batchId: '7', sentAs: null })
  const provider = providerWith({ status: 200, receipts: [receipt] })
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
  const provider = providerWith(answer)
  expect(await isAtomic(connected('injected', provider), 137)).toBe(expected)
  const question = { method: 'wallet_getCapabilities', params: [account, ['0x89']] }
  expect(provider.request.mock.calls.map(([asked]) => asked)).toEqual([question])
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

test.each(['an id', { id: 'an id' }])(
  'all or none of the calls are asked for, of the checksummed account, and the wallet’s id counts: %j',
  async (answer) => {
    const provider = providerWith(answer)
    const call = { from: account, to: account, value: 3n, data: '0x12' } as const
    const calls = [call, { ...call, data: '0x' }] as const
    expect(await sendBatch(connected('injected', provider), { id: hash, chainId: 137, calls })).toBe('an id')
    const [first, bare] = [
      { to: account, value: '0x3', data: '0x12' },
      { to: account, value: '0x3' },
    ]
    const batch = { version: '2.0.0', id: hash, from: account, chainId: '0x89', atomicRequired: true }
    const question = { method: 'wallet_sendCalls', params: [{ ...batch, calls: [first, bare] }] }
    expect(provider.request.mock.calls.map(([asked]) => asked)).toEqual([question])
  },
)
