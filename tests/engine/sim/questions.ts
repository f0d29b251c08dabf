import type { Chance } from '../../support/chance.ts'
import { resetNumber } from './resets.ts'
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
  | 'local'
  | 'derived'
  | 'broadcast'
  | 'refused'
  | 'bad-params'

/** What a caller wants to know. */
export interface Question {
  readonly method: string
  readonly params: readonly unknown[]
  readonly agreement: Agreement
}

const questionOn = (method: string, agreement: Agreement, params: readonly unknown[]): Question => ({
  method,
  agreement,
  params,
})

/** Derived from the agreed fee history. */
const derived = ['eth_gasPrice', 'eth_maxPriorityFeePerGas', 'eth_baseFee', 'eth_blobBaseFee']
const selectors = ['0x70a08231', '0x18160ddd', '0x313ce567']
export const accounts = [
  '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B',
  '0x52908400098527886e0f7030069857d2e4169ee7',
]
export const contracts = [1, 2, 3, 4, 5, 6].map((index) => `0x${'c0de'.repeat(9)}${String(index).repeat(4)}`)

export function questionOf(chance: Chance, chain: WorldChain, atMs: number): Question {
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
    [1, () => questionOn('eth_chainId', 'local', [])],
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
export function fixed(chance: Chance): Question {
  const number = startNumber - chance.pick([0, 1, finalDepth + 1])
  return questionOn('eth_getBalance', 'equality', [accounts[0], `0x${number.toString(16)}`])
}

const balanceNow = (chance: Chance) =>
  questionOn('eth_getBalance', 'equality', [someAccount(chance), 'latest'])
const callNow = (chance: Chance) => questionOn('eth_call', 'equality', work(chance))
const someReceipt = (chance: Chance) =>
  questionOn('eth_getTransactionReceipt', 'lookup', [transactionHash(chance)])
const someLogs = (chance: Chance, chain: WorldChain, atMs: number) =>
  questionOn('eth_getLogs', 'logs', [logFilter(chance, chain, atMs)])
const head = () => questionOn('eth_blockNumber', 'head', [])

type Wish = (chance: Chance, chain: WorldChain, atMs: number) => Question

/** One of several, by weight. */
const oneOf =
  (...rows: readonly (readonly [weight: number, wish: Wish])[]): Wish =>
  (chance, chain, atMs) =>
    chance.weighted(rows)(chance, chain, atMs)

/** The main calls of each theme. */
export const wishes: Readonly<Partial<Record<Theme, Wish>>> = {
  'liar first': balanceNow,
  pending: (chance) => questionOn('eth_getTransactionByHash', 'lookup', [chance.pick(mined.slice(-3)).hash]),
  poisoned: oneOf([5, balanceNow], [2, callNow], [2, someReceipt], [2, someLogs], [2, head]),
  'falling back': head,
  'heavy work': oneOf(
    [6, balanceNow],
    [4, callNow],
    [2, (chance) => questionOn('eth_estimateGas', 'estimate', work(chance))],
    [3, someLogs],
    [1, () => questionOn('eth_getBlockByNumber', 'lookup', ['latest', true])],
  ),
  estimates: (chance) => questionOn('eth_estimateGas', 'estimate', work(chance)),
  reset: (chance, chain, atMs) => {
    const number = (chance.roll(0.3) ? startNumber : (resetNumber(chain) ?? startNumber)) - chance.int(8)
    const hex = `0x${number.toString(16)}`
    const block = chance.pick([hex, hex, 'latest', 'finalized'])
    const range = { fromBlock: `0x${(number - 5).toString(16)}`, toBlock: hex }
    return oneOf(
      [6, () => questionOn('eth_getBalance', 'equality', [accounts[0], block])],
      [2, () => questionOn('eth_getBlockByNumber', 'lookup', [block, false])],
      [2, () => questionOn('eth_getBlockByHash', 'lookup', [blockHash(chance, chain, atMs), false])],
      [3, someReceipt],
      [1, () => questionOn('eth_getLogs', 'logs', [range])],
    )(chance, chain, atMs)
  },
  'missing logs': someLogs,
}

/** A transaction signed for this chain; one in eight is for another. */
export function forChain(chance: Chance, { id }: WorldChain): Question {
  const isForeign = chance.roll(0.12)
  const others = [...unsent.keys()].filter((chainId) => chainId !== id)
  const { raw } = chance.pick(unsent.get(isForeign ? (others[0] as number) : id) ?? [])
  return questionOn('eth_sendRawTransaction', isForeign ? 'bad-params' : 'broadcast', [raw])
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
  return [{ to: chance.pick(contracts), data: chance.pick(selectors) }, 'latest']
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
