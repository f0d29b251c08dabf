import type { Asked } from './asked.ts'
import { hash32, hexDigits } from './chance.ts'
import {
  blockObject,
  feeHistoryObject,
  homeOf,
  logsIn,
  receiptObject,
  transactionObject,
  waitingObject,
} from './objects.ts'
import { type Dialect, meaningOf, render, type Shape } from './shapes.ts'
import { mined, type Signed } from './signed.ts'
import {
  type Block,
  blockAt,
  blockOf,
  finalDepth,
  hashOf,
  isOn,
  safeDepth,
  type Tip,
  transactionsIn,
} from './universe.ts'

/** A valid reply of a node, independent of its wording. */
export type Saying =
  | {
      readonly kind: 'result'
      readonly shape: Shape
      readonly value: unknown
      readonly meaning: string
      /** It contradicts itself or the call, so it is not a vote. */
      readonly isEvident?: boolean
      /** The engine may see that it is a lie, where it knows the block. */
      readonly isDoubtful?: boolean
    }
  | { readonly kind: 'reverted'; readonly data: string; readonly meaning: string }
  | { readonly kind: 'rejected'; readonly meaning: string }
  | { readonly kind: 'behind' }

export const shapeOf: Readonly<Record<string, Shape>> = {
  eth_getBalance: 'quantity',
  eth_getCode: 'data',
  eth_getStorageAt: 'data',
  eth_getTransactionCount: 'quantity',
  eth_call: 'data',
  eth_estimateGas: 'quantity',
  eth_blockNumber: 'quantity',
  eth_chainId: 'quantity',
  eth_gasPrice: 'quantity',
  eth_maxPriorityFeePerGas: 'quantity',
  eth_getBlockByNumber: 'block',
  eth_getBlockByHash: 'block',
  eth_getBlockTransactionCountByNumber: 'quantity',
  eth_getTransactionByHash: 'transaction',
  eth_getTransactionReceipt: 'receipt',
  eth_getLogs: 'logs',
  eth_feeHistory: 'fee-history',
  eth_sendRawTransaction: 'data',
}

const behind: Saying = { kind: 'behind' }
const cache = new Map<string, Saying>()
const cacheMax = 40_000

function kept(key: string, make: () => Saying): Saying {
  const known = cache.get(key)
  if (known !== undefined) return known
  if (cache.size > cacheMax) cache.clear()
  const made = make()
  cache.set(key, made)
  return made
}

export function saying(shape: Shape, value: unknown): Saying {
  return { kind: 'result', shape, value, meaning: meaningOf(shape, value) }
}

/** The reply for a pending transaction. */
export function waiting(signed: Signed): Saying {
  return kept(`waiting|${signed.hash}`, () => saying('transaction', waitingObject(signed)))
}

const nothing: Saying = { kind: 'result', shape: 'data', value: null, meaning: 'null' }

/** The true answer to a call at a tip: the reply of an honest node there. */
export function truthOf(chainId: number, tip: Tip, asked: Asked): Saying {
  const { method, subject } = asked
  switch (method) {
    case 'eth_getTransactionByHash':
    case 'eth_getTransactionReceipt': {
      const index = mined.findIndex(({ hash }) => hash === subject)
      const home = index < 0 ? null : homeOf(tip, index)
      if (home === null) return nothing
      return kept(`${chainId}|${method}|${index}|${hashOf(home)}`, () =>
        method === 'eth_getTransactionReceipt'
          ? saying('receipt', receiptObject(chainId, home, index))
          : saying('transaction', transactionObject(home, index)),
      )
    }
    case 'eth_getLogs': {
      const to = numberIn(tip, asked.block)
      const from = asked.from.kind === 'none' ? to : numberIn(tip, asked.from)
      if (to === null || from === null || to > tip.number) return behind
      const [emitter, topic] = subject.split(',').map((text) => (text === '' ? null : Number(text)))
      return saying(
        'logs',
        logsIn(chainId, tip, { emitter: emitter ?? null, topic: topic ?? null, from, to }),
      )
    }
    case 'eth_getBlockByNumber':
    case 'eth_getBlockByHash': {
      const block = blockIn(tip, asked)
      if (block === null) return nothing
      return kept(`${chainId}|block|${hashOf(block)}|${subject}`, () =>
        saying('block', blockObject(chainId, block, subject === 'true')),
      )
    }
    case 'eth_getBlockTransactionCountByNumber': {
      const block = blockIn(tip, asked)
      return block === null ? nothing : saying('quantity', `0x${transactionsIn(block).length.toString(16)}`)
    }
    case 'eth_chainId':
      return saying('quantity', `0x${chainId.toString(16)}`)
    case 'eth_blockNumber':
      return saying('quantity', `0x${tip.number.toString(16)}`)
    default: {
      const block = blockIn(tip, asked)
      return block === null ? behind : stateAt(chainId, block, asked)
    }
  }
}

/** The value of a call at a block. A non-empty salt makes it a lie. */
export function stateAt(chainId: number, block: Block, asked: Asked, salt = ''): Saying {
  const { method, subject } = asked
  if (method === 'eth_call') return callAt(chainId, block, asked, salt)
  const seed = `${chainId}|${method}|${subject}|${hashOf(block)}|${salt}`
  return kept(seed, () => {
    switch (method) {
      case 'eth_getBalance':
        return saying('quantity', quantity(seed, 15))
      case 'eth_getTransactionCount':
        return saying('quantity', `0x${(nonceAt(block.number) + (salt === '' ? 0 : 5)).toString(16)}`)
      case 'eth_getCode':
        return saying('data', `0x${hexDigits(seed, 24)}`)
      case 'eth_getStorageAt':
        return saying('data', `0x${hexDigits(seed, 64)}`)
      case 'eth_estimateGas':
        return execution(seed, method)
      case 'eth_feeHistory': {
        const [count, percentiles] = subject.split(',').map(Number)
        const history = feeHistoryObject(chainId, block, count ?? 1, percentiles ?? 0)
        if (salt === '') return saying('fee-history', history)
        const base = [...(history.baseFeePerGas as string[])]
        return saying('fee-history', { ...history, baseFeePerGas: base.with(-1, `0x${hexDigits(seed, 9)}1`) })
      }
      default:
        return nothing
    }
  })
}

/** A call with too little gas runs out of it; with enough gas its result does not depend on the gas. */
function callAt(chainId: number, block: Block, { method, subject }: Asked, salt: string): Saying {
  const [to, data, gas] = subject.split(',')
  const seed = `${chainId}|${method}|${to},${data}|${hashOf(block)}|${salt}`
  const said = kept(seed, () => execution(seed, method))
  const isShort = Number(gas) < needAt(chainId, block, `${to},${data}`)
  return said.kind === 'result' && isShort ? outOfGas : said
}

const outOfGas: Saying = { kind: 'rejected', meaning: 'refusal vm-halt' }

/** The gas that a call needs, by the subject of its estimate. */
export function needAt(chainId: number, block: Block, subject: string): number {
  return needOf(`${chainId}|eth_estimateGas|${subject}|${hashOf(block)}|`)
}

const needOf = (seed: string): number => 21_000 + (hash32(seed, 5) % 50_000)

/** Some executions revert or are refused, depending on the call. */
function execution(seed: string, method: string): Saying {
  const dice = hash32(seed.split('|').slice(0, 3).join('|').replace(method, ''), 3) % 12
  if (dice === 0) {
    const data = `0x08c379a0${hexDigits(seed, 32)}`
    return { kind: 'reverted', data, meaning: `revert ${data}` }
  }
  if (dice === 1) return { kind: 'rejected', meaning: 'refusal insufficient-funds' }
  if (method === 'eth_estimateGas') return saying('quantity', `0x${needOf(seed).toString(16)}`)
  return saying('data', `0x${hexDigits(seed, 64)}`)
}

export const nonceAt = (number: number): number => number >> 2

const quantity = (seed: string, digits: number) => `0x1${hexDigits(seed, digits)}`

/** The block of a call at this tip; null if the tip does not have it. */
export function blockIn(tip: Tip, { block: ref }: Asked): Block | null {
  if (ref.kind === 'hash') {
    const block = blockOf(ref.hash)
    return block !== null && isOn(tip, block) ? block : null
  }
  const number = numberIn(tip, ref)
  return number === null || number > tip.number ? null : blockAt(tip, number)
}

function numberIn(tip: Tip, ref: Asked['block']): number | null {
  switch (ref.kind) {
    case 'number':
      return ref.number
    case 'none':
      return tip.number
    case 'hash': {
      const block = blockOf(ref.hash)
      return block !== null && isOn(tip, block) ? block.number : null
    }
    default:
      if (ref.tag === 'earliest') return 0
      if (ref.tag === 'safe') return Math.max(tip.number - safeDepth, 0)
      if (ref.tag === 'finalized') return Math.max(tip.number - finalDepth, 0)
      return tip.number
  }
}

const texts = new Map<string, string>()

/** The JSON text of a result in a dialect. */
export function textOf(said: Extract<Saying, { kind: 'result' }>, dialect: Dialect): string {
  if (said.shape !== 'block' && said.shape !== 'receipt') return render(said.shape, said.value, dialect)
  const key = `${dialect}|${said.meaning}`
  const known = texts.get(key)
  if (known !== undefined) return known
  if (texts.size > cacheMax / 10) texts.clear()
  const text = render(said.shape, said.value, dialect)
  texts.set(key, text)
  return text
}
