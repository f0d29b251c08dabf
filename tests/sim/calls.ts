import type { Chance } from './chance.ts'
import { type MalformedRequest, malformed } from './malformed-request.ts'
import { type ParsedCall, parseCall } from './parsed-call.ts'
import { resetNumber } from './resets.ts'
import { batchCallsMax } from './settings.ts'
import { mined, unsent } from './signed.ts'
import { blockAt, emitters, finalDepth, hashOf, startNumber, topics } from './universe.ts'
import { startMs, type Theme, tipAt, type WorldChain } from './world.ts'

/** How replies to a call are combined, in the terms of the specification. */
export type Agreement =
  | 'equality'
  | 'lookup'
  | 'logs'
  | 'estimate'
  | 'highest'
  | 'head'
  | 'here'
  | 'derived'
  | 'broadcast'
  | 'refused'
  | 'bad-params'

/** One entry of a request. */
export interface Entry {
  /** The JSON text of the id that the response must have; null for a notification. */
  readonly id: string | null
  readonly text: string
  readonly method: string
  readonly agreement: Agreement
  readonly call: ParsedCall | null
  /** The expected error code, if it is known in advance. */
  readonly code: number | null
}

export interface ClientRequest {
  /** Since the start of the world. */
  readonly atMs: number
  readonly chain: WorldChain
  readonly entries: readonly Entry[]
  readonly isBatch: boolean
  readonly body: string
  /** The caller disconnects after this many milliseconds; null if it stays. */
  readonly leavesMs: number | null
  readonly explained: boolean
  /** The defect of the request as a whole. */
  readonly malformed: MalformedRequest | null
}

interface Question {
  readonly method: string
  readonly params: readonly unknown[]
  readonly agreement: Agreement
}

/** All requests of callers in a world. A pause is halfway, with similar calls before and after it. */
export function createClientRequests(
  chance: Chance,
  chains: readonly WorldChain[],
  lengthMs: number,
  pauseMs: number,
): readonly ClientRequest[] {
  const clientRequests: ClientRequest[] = []
  const earlier: Question[] = []
  let nextId = 1
  let atMs = chance.int(50)

  function question(chain: WorldChain): Question {
    // Repeats earlier calls, on any chain, to exercise the cache and single flight.
    const again = earlier.length > 0 && chance.roll(0.35)
    const wish = pauseMs > 0 ? fixed : wishes[chain.theme]
    const callerControlled = again
      ? chance.pick(earlier)
      : wish !== undefined && chance.roll(0.6)
        ? wish(chance, chain, atMs)
        : questionOf(chance, chain, atMs)
    if (callerControlled.method !== 'eth_sendRawTransaction' || chance.roll(0.5))
      earlier.push(callerControlled)
    return callerControlled.agreement === 'broadcast' ? forChain(chance, chain) : callerControlled
  }

  function entry(chain: WorldChain): Entry {
    if (chance.roll(0.03)) return badEntry(chance)
    const { method, params, agreement } = question(chain)
    const id = idOf(chance, nextId++)
    const text = `{"jsonrpc":"2.0",${id === null ? '' : `"id":${id},`}"method":"${method}","params":${JSON.stringify(params)}}`
    return {
      id,
      text,
      method,
      agreement,
      call: parseCall(method, params),
      code: agreement === 'refused' ? -32601 : agreement === 'bad-params' ? -32602 : null,
    }
  }

  const isReset = chains.some(({ theme }) => theme === 'reset')
  const isFull = isReset || chains.some(({ theme }) => theme === 'liar first' || theme === 'heavy work')
  const isLong = pauseMs > 0 || isFull || chance.roll(0.05)
  const count = isReset ? chance.between(20, 30) : isLong ? chance.between(8, 14) : chance.between(1, 6)
  let pausesMs = pauseMs
  while (clientRequests.length < count && atMs < lengthMs) {
    if (clientRequests.length >= count / 2) {
      atMs += pausesMs
      pausesMs = 0
    }
    const chain = chance.pick(chains)
    const isBatch = chance.roll(0.15)
    const size = isBatch ? chance.between(1, 6) : 1
    const entries = Array.from({ length: size }, () => entry(chain))
    // A burst of identical requests.
    const copies = chance.roll(0.08) ? chance.between(2, 5) : 1
    // Transactions are signed for one chain.
    const isAnywhere = entries.every(({ method }) => method !== 'eth_sendRawTransaction')
    for (let copy = 0; copy < copies; copy++)
      clientRequests.push({
        atMs: atMs + (chance.roll(0.5) ? 0 : chance.int(30)),
        chain: copies > 1 && isAnywhere && chance.roll(0.3) ? chance.pick(chains) : chain,
        entries,
        isBatch,
        body: isBatch ? `[${entries.map(({ text }) => text).join(',')}]` : (entries[0] as Entry).text,
        leavesMs: chance.roll(0.1) ? chance.int(chance.pick([5, 60, 900])) : null,
        explained: isBatch || chance.roll(0.8),
        malformed: chance.roll(0.02) ? malformed(chance, chain.id, batchCallsMax) : null,
      })
    atMs += chance.pick([0, 0, 1, 20, 100, 400, 1000, 2500])
  }
  return [...clientRequests, ...chains.flatMap(polls)]
}

/** A caller polls the head: by its number, and every third time by a read at `latest`. */
function polls(chain: WorldChain): readonly ClientRequest[] {
  return chain.pollsMs.map((atMs, index): ClientRequest => {
    const id = `"poll ${index}"`
    const isRead = chain.theme === 'pauses' && index % 3 === 2
    const method = isRead ? 'eth_getBalance' : 'eth_blockNumber'
    const params = isRead ? [accounts[0], 'latest'] : []
    const text = `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${JSON.stringify(params)}}`
    const agreement = isRead ? 'equality' : 'head'
    return {
      atMs,
      chain,
      entries: [{ id, text, method, agreement, call: parseCall(method, params), code: null }],
      isBatch: false,
      body: text,
      leavesMs: null,
      explained: true,
      malformed: null,
    }
  })
}

function idOf(chance: Chance, next: number): string | null {
  return chance.weighted<string | null>([
    [20, String(next)],
    [2, `"${next}"`],
    [1, 'null'],
    [1, `${next}.0`],
    [1, `9007199254740993${next}`],
    [1, `"a\\u0041\\"${next}"`],
    [1, null],
  ])
}

function badEntry(chance: Chance): Entry {
  const [text, id] = chance.pick([
    ['{"jsonrpc":"1.0","id":7,"method":"eth_chainId"}', '7'],
    ['{"id":8,"method":"eth_chainId"}', '8'],
    ['5', 'null'],
    ['{"jsonrpc":"2.0","id":9}', '9'],
    ['{"jsonrpc":"2.0","id":{"a":1},"method":"eth_chainId"}', 'null'],
  ] as const)
  return { id, text, method: 'none', agreement: 'refused', call: null, code: -32600 }
}

/** Derived from the agreed fee history. */
const derived = ['eth_gasPrice', 'eth_maxPriorityFeePerGas', 'eth_baseFee', 'eth_blobBaseFee']
const selectors = ['0x70a08231', '0x18160ddd', '0x313ce567']
const accounts = ['0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B', '0x52908400098527886e0f7030069857d2e4169ee7']
const contracts = [1, 2, 3, 4, 5, 6].map((index) => `0x${'c0de'.repeat(9)}${String(index).repeat(4)}`)

function questionOf(chance: Chance, chain: WorldChain, atMs: number): Question {
  const block = () => blockParam(chance, chain, atMs, true)
  const bare = () => blockParam(chance, chain, atMs, false)
  const account = () => chance.pick(accounts)
  const callParams = () => [
    {
      to: chance.pick(contracts),
      data: chance.pick(selectors),
      ...(chance.roll(0.3) ? { gas: '0x186a0' } : {}),
    },
    ...(chance.roll(0.8) ? [block()] : []),
  ]
  const questionOn = (method: string, agreement: Agreement, params: readonly unknown[]): Question => ({
    method,
    agreement,
    params,
  })
  return chance.weighted<() => Question>([
    [18, () => questionOn('eth_getBalance', 'equality', [account(), block()])],
    [3, () => questionOn('eth_getTransactionCount', 'equality', [account(), bare()])],
    [5, () => questionOn('eth_getTransactionCount', 'highest', [account(), 'pending'])],
    [10, () => questionOn('eth_call', 'equality', callParams())],
    [2, () => questionOn('eth_getCode', 'equality', [account(), block()])],
    [3, () => questionOn('eth_getStorageAt', 'equality', [account(), `0x${chance.int(3)}`, block()])],
    [6, () => questionOn('eth_getBlockByNumber', 'lookup', [bare(), chance.roll(0.1)])],
    [4, () => questionOn('eth_getBlockByHash', 'lookup', [blockHash(chance, chain, atMs), false])],
    [2, () => questionOn('eth_getBlockTransactionCountByNumber', 'lookup', [bare()])],
    [12, () => questionOn('eth_getTransactionReceipt', 'lookup', [transactionHash(chance)])],
    [4, () => questionOn('eth_getTransactionByHash', 'lookup', [transactionHash(chance)])],
    [8, () => questionOn('eth_getLogs', 'logs', [logFilter(chance, chain, atMs)])],
    [7, () => questionOn('eth_estimateGas', 'estimate', callParams())],
    [
      3,
      () =>
        questionOn('eth_feeHistory', 'equality', [
          `0x${chance.between(1, 4)}`,
          chance.roll(0.7) ? 'latest' : bare(),
          chance.pick([[], [10, 50]]),
        ]),
    ],
    [5, () => questionOn(chance.pick(derived), 'derived', [])],
    [8, () => questionOn('eth_blockNumber', 'head', [])],
    [1, () => questionOn('eth_chainId', 'here', [])],
    [4, () => questionOn('eth_sendRawTransaction', 'broadcast', [''])],
    [
      1,
      () =>
        questionOn(chance.pick(['eth_sign', 'debug_traceCall', 'anvil_mine', 'nobody_knows']), 'refused', []),
    ],
    [1, () => questionOn('eth_getBalance', 'bad-params', [chance.pick(['0x12', 7, null, '']), 'latest'])],
    [1, () => questionOn('eth_getBlockByNumber', 'bad-params', ['pending', false])],
  ])()
}

/** A few reads at fixed blocks, final or not, so that some are cached. */
function fixed(chance: Chance): Question {
  const number = startNumber - chance.pick([0, 1, finalDepth + 1])
  return {
    method: 'eth_getBalance',
    params: [accounts[0], `0x${number.toString(16)}`],
    agreement: 'equality',
  }
}

/** The main calls of each theme. */
const wishes: Readonly<
  Partial<Record<Theme, (chance: Chance, chain: WorldChain, atMs: number) => Question>>
> = {
  'liar first': (chance) => ({
    method: 'eth_getBalance',
    params: [`0x${String(chance.int(10)).repeat(40)}`, 'latest'],
    agreement: 'equality',
  }),
  pending: (chance) => ({
    method: 'eth_getTransactionByHash',
    params: [chance.pick(mined.slice(-3)).hash],
    agreement: 'lookup',
  }),
  'falling back': () => ({ method: 'eth_blockNumber', params: [], agreement: 'head' }),
  'heavy work': (chance, chain, atMs) =>
    chance.weighted<() => Question>([
      [
        6,
        () => ({ method: 'eth_getBalance', agreement: 'equality', params: [someAccount(chance), 'latest'] }),
      ],
      [4, () => ({ method: 'eth_call', agreement: 'equality', params: work(chance) })],
      [2, () => ({ method: 'eth_estimateGas', agreement: 'estimate', params: work(chance) })],
      [3, () => ({ method: 'eth_getLogs', agreement: 'logs', params: [logFilter(chance, chain, atMs)] })],
      [1, () => ({ method: 'eth_getBlockByNumber', agreement: 'lookup', params: ['latest', true] })],
    ])(),
  estimates: (chance) => ({
    method: 'eth_estimateGas',
    params: [{ to: chance.pick(contracts), data: chance.pick(selectors) }, 'latest'],
    agreement: 'estimate',
  }),
  reset: (chance, chain, atMs) => {
    const number = (chance.roll(0.3) ? startNumber : (resetNumber(chain) ?? startNumber)) - chance.int(8)
    const block = chance.pick([`0x${number.toString(16)}`, `0x${number.toString(16)}`, 'latest', 'finalized'])
    return chance.weighted<() => Question>([
      [6, () => ({ method: 'eth_getBalance', agreement: 'equality', params: [accounts[0], block] })],
      [2, () => ({ method: 'eth_getBlockByNumber', agreement: 'lookup', params: [block, false] })],
      [
        2,
        () => ({
          method: 'eth_getBlockByHash',
          agreement: 'lookup',
          params: [blockHash(chance, chain, atMs), false],
        }),
      ],
      [
        3,
        () => ({
          method: 'eth_getTransactionReceipt',
          agreement: 'lookup',
          params: [transactionHash(chance)],
        }),
      ],
      [
        1,
        () => ({
          method: 'eth_getLogs',
          agreement: 'logs',
          params: [{ fromBlock: `0x${(number - 5).toString(16)}`, toBlock: `0x${number.toString(16)}` }],
        }),
      ],
    ])()
  },
  'missing logs': (chance, chain, atMs) => ({
    method: 'eth_getLogs',
    params: [logFilter(chance, chain, atMs)],
    agreement: 'logs',
  }),
}

/** A transaction signed for this chain; one in eight is for another. */
function forChain(chance: Chance, { id }: WorldChain): Question {
  const isForeign = chance.roll(0.12)
  const others = [...unsent.keys()].filter((chainId) => chainId !== id)
  const { raw } = chance.pick(unsent.get(isForeign ? (others[0] as number) : id) ?? [])
  return {
    method: 'eth_sendRawTransaction',
    agreement: isForeign ? 'bad-params' : 'broadcast',
    params: [raw],
  }
}

function blockParam(chance: Chance, chain: WorldChain, atMs: number, takesHash: boolean): unknown {
  return chance.weighted<() => unknown>([
    [12, () => 'latest'],
    [4, () => `0x${(startNumber + chance.between(-6, 5)).toString(16)}`],
    [1, () => `0x${(startNumber - finalDepth - chance.int(10)).toString(16)}`],
    [1, () => 'safe'],
    [2, () => 'finalized'],
    [1, () => 'earliest'],
    [takesHash ? 2 : 0, () => ({ blockHash: blockHash(chance, chain, atMs) })],
    [takesHash ? 1 : 0, () => 'pending'],
  ])()
}

function someAccount(chance: Chance): string {
  return `0x${String(chance.int(10)).repeat(40)}`
}

function work(chance: Chance): readonly unknown[] {
  return [
    { to: chance.pick(contracts), data: chance.pick(['0x70a08231', '0x18160ddd', '0x313ce567']) },
    'latest',
  ]
}

function blockHash(chance: Chance, chain: WorldChain, atMs: number): string {
  const tip = tipAt(chain, startMs + atMs)
  return hashOf(blockAt(tip, tip.number - chance.int(4)))
}

function transactionHash(chance: Chance): string {
  if (chance.roll(0.08)) return `0x${'dead'.repeat(16)}`
  const { hash } = chance.pick(mined)
  return chance.roll(0.1) ? `0x${hash.slice(2).toUpperCase()}` : hash
}

function logFilter(chance: Chance, chain: WorldChain, atMs: number): unknown {
  const what = {
    ...(chance.roll(0.6) ? { address: chance.pick(emitters) } : {}),
    ...(chance.roll(0.4) ? { topics: [chance.pick(topics)] } : {}),
  }
  if (chance.roll(0.15)) return { ...what, blockHash: blockHash(chance, chain, atMs) }
  const from = startNumber - chance.pick([0, 3, 30, 110])
  return {
    ...what,
    fromBlock: `0x${from.toString(16)}`,
    toBlock: chance.roll(0.7) ? 'latest' : `0x${(from + chance.int(110)).toString(16)}`,
  }
}
