import { expect, onTestFinished, test, vi } from 'vitest'
import { createConnector } from 'wagmi'
import { addConnector } from '#lib/wallet/add-connector.ts'
import { hasOwners, isAtomic, readWalletStatus, sendBatch } from '#lib/wallet/calls.ts'
import { configWith } from './one-chain.ts'
import { recordOf } from './record.ts'

const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

interface Wallet {
  readonly id: string
  readonly type: string
  readonly provider: unknown
}

/** Whether the wallet of this connector counts as a multisig once it is connected. */
const ask = (wallet: Wallet) => hasOwners(connected(wallet))

function connected({ id, type, provider }: Wallet) {
  const config = configWith()
  const { uid } = addConnector(
    config,
    createConnector(
      () => ({ id, name: id, type, getProvider: async () => provider, getChainId: async () => 137 }) as never,
    ),
  )
  const [connector] = config.connectors
  config.setState((state) => ({
    ...state,
    status: 'connected',
    current: uid,
    connections: new Map([[uid, { accounts: [account], chainId: 137, connector: connector as never }]]),
  }))
  return config
}

const peer = (url: string) => ({ session: { peer: { metadata: { url } } } })

test('a Safe has several owners, in its own frame', async () => {
  expect(await ask({ id: 'safe', type: 'safe', provider: {} })).toBe(true)
})

test.each(['https://app.safe.global', 'https://app.safe.global/', 'https://safe.global/wallet'])(
  'and behind the relay, where it calls itself %s',
  async (url) => {
    expect(await ask({ id: 'walletConnect', type: 'walletConnect', provider: peer(url) })).toBe(true)
  },
)

test.each(['https://notsafe.global', 'https://safe.global.example', 'https://rainbow.me', 'safe.global', ''])(
  'a wallet that calls itself %s has one',
  async (url) => {
    expect(await ask({ id: 'walletConnect', type: 'walletConnect', provider: peer(url) })).toBe(false)
  },
)

test('a wallet in the browser has one, and so has one whose session is gone', async () => {
  expect(await ask({ id: 'a.wallet', type: 'injected', provider: {} })).toBe(false)
  expect(await ask({ id: 'walletConnect', type: 'walletConnect', provider: {} })).toBe(false)
})

test.each([7, {}, null, '0x12', [`0x${'a'.repeat(64)}`]])(
  'what a Safe returns in place of the hash is not shown as one: %j',
  async (transactionHash) => {
    expect(
      await statusOf({ status: 200, receipts: [{ transactionHash, blockNumber: '0x1', gasUsed: '0x1' }] }),
    ).toEqual({})
  },
)

test('a Safe returns the hash of what its owners have sent', async () => {
  const transactionHash = `0x${'a'.repeat(64)}`
  const receipts = [{ transactionHash, blockNumber: '0x1', gasUsed: '0x1', status: '0x1' }]
  expect(await statusOf({ status: 200, receipts })).toEqual({ sentAs: transactionHash })
})

/** The status of a transaction whose wallet answers so. */
function statusOf(answer: object) {
  const provider = {
    request: async () => ({ version: '2.0.0', id: '0x1', chainId: '0x89', atomic: true, ...answer }),
  }
  return readWalletStatus(recordOf(), connected({ id: 'safe', type: 'safe', provider }))
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
  return readWalletStatus(record, connected({ id: 'a.wallet', type: 'injected', provider: { request } }))
}

test.each([
  ['is waiting, as Safe is for days', { status: 100 }, {}],
  ['has sent one transaction', { status: 200, atomic: true, receipts: [receipt] }, { sentAs: hash }],
  [
    'has one receipt for each call of one transaction',
    { status: 200, receipts: [receipt, receipt] },
    { sentAs: hash },
  ],
  ['calls a success a failure', { status: 500, receipts: [receipt] }, { sentAs: hash }],
  ['speaks as version 1', { status: 'CONFIRMED', receipts: [receipt] }, { sentAs: hash }],
  ['waits in the words of version 1', { status: 'PENDING' }, {}],
  ['has the first receipt of several', { status: 100, receipts: [receipt] }, {}],
  [
    'has the receipt of all before it says so',
    { status: 100, atomic: true, receipts: [receipt] },
    { sentAs: hash },
  ],
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
  expect(await readWalletStatus(record, connected({ id: 'a', type: 'injected', provider }))).toEqual({})
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
  expect(await isAtomic(connected({ id: 'a', type: 'injected', provider }), 137)).toBe(expected)
  expect(asked).toEqual([{ method: 'wallet_getCapabilities', params: [account, ['0x89']] }])
})

test('a wallet that knows no capabilities carries out nothing as one', async () => {
  const request = async () => Promise.reject(new Error('no such method'))
  expect(await isAtomic(connected({ id: 'a', type: 'injected', provider: { request } }), 137)).toBe(false)
})

test('a wallet that does not answer is taken for one that carries out nothing as one', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const request = () => new Promise(() => {})
  const answer = isAtomic(connected({ id: 'a', type: 'injected', provider: { request } }), 137)
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
    const config = connected({ id: 'a', type: 'injected', provider })
    expect(await sendBatch(config, { id: hash, chainId: 137, calls: [call, { ...call, data: '0x' }] })).toBe(
      'an id',
    )
    expect(asked).toEqual([
      {
        method: 'wallet_sendCalls',
        params: [
          {
            version: '2.0.0',
            id: hash,
            from: account,
            chainId: '0x89',
            atomicRequired: true,
            calls: [
              { to: account, value: '0x3', data: '0x12' },
              { to: account, value: '0x3' },
            ],
          },
        ],
      },
    ])
  },
)
