import { hash32, hexDigits } from '../../support/chance.ts'
import {
  blockObject,
  feeHistoryObject,
  homeOf,
  logsIn,
  receiptObject,
  transactionObject,
  waitingObject,
} from './objects.ts'
import type { ParsedCall } from './parsed-call.ts'
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
export type NodeReply =
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

const behind: NodeReply = { kind: 'behind' }
const cache = new Map<string, NodeReply>()
const cacheMax = 40_000

function cached(key: string, make: () => NodeReply): NodeReply {
  const known = cache.get(key)
  if (known !== undefined) return known
  if (cache.size > cacheMax) cache.clear()
  const made = make()
  cache.set(key, made)
  return made
}

export function resultReply(shape: Shape, value: unknown): NodeReply {
  return { kind: 'result', shape, value, meaning: meaningOf(shape, value) }
}

/** The reply for a pending transaction. */
export function waiting(signed: Signed): NodeReply {
  return cached(`waiting|${signed.hash}`, () => resultReply('transaction', waitingObject(signed)))
}

const nothing: NodeReply = { kind: 'result', shape: 'data', value: null, meaning: 'null' }

/** The true answer to a call at a tip: the reply of an honest node there. */
export function truthOf(chainId: number, tip: Tip, call: ParsedCall): NodeReply {
  const { method, subject } = call
  switch (method) {
    case 'eth_getTransactionByHash':
    case 'eth_getTransactionReceipt': {
      const index = mined.findIndex(({ hash }) => hash === subject)
      const home = index < 0 ? null : homeOf(tip, index)
      if (home === null) return nothing
      return cached(`${chainId}|${method}|${index}|${hashOf(home)}`, () =>
        method === 'eth_getTransactionReceipt'
          ? resultReply('receipt', receiptObject(chainId, home, index))
          : resultReply('transaction', transactionObject(home, index)),
      )
    }
    case 'eth_getLogs': {
      const to = numberIn(tip, call.block)
      const from = call.from.kind === 'none' ? to : numberIn(tip, call.from)
      if (to === null || from === null || to > tip.number) return behind
      const [emitter, topic] = subject.split(',').map((text) => (text === '' ? null : Number(text)))
      return resultReply(
        'logs',
        logsIn(chainId, tip, { emitter: emitter ?? null, topic: topic ?? null, from, to }),
      )
    }
    case 'eth_getBlockByNumber':
    case 'eth_getBlockByHash': {
      const block = blockIn(tip, call)
      if (block === null) return nothing
      return cached(`${chainId}|block|${hashOf(block)}|${subject}`, () =>
        resultReply('block', blockObject(chainId, block, subject === 'true')),
      )
    }
    case 'eth_getBlockTransactionCountByNumber': {
      const block = blockIn(tip, call)
      return block === null
        ? nothing
        : resultReply('quantity', `0x${transactionsIn(block).length.toString(16)}`)
    }
    case 'eth_chainId':
      return resultReply('quantity', `0x${chainId.toString(16)}`)
    case 'eth_blockNumber':
      return resultReply('quantity', `0x${tip.number.toString(16)}`)
    default: {
      const block = blockIn(tip, call)
      return block === null ? behind : stateAt(chainId, block, call)
    }
  }
}

/** The value of a call at a block. A non-empty salt makes it a lie. */
export function stateAt(chainId: number, block: Block, call: ParsedCall, salt = ''): NodeReply {
  const { method, subject } = call
  if (method === 'eth_call') return callAt(chainId, block, call, salt)
  const seed = `${chainId}|${method}|${subject}|${hashOf(block)}|${salt}`
  return cached(seed, () => {
    switch (method) {
      case 'eth_getBalance':
        return resultReply('quantity', quantity(seed, 15))
      case 'eth_getTransactionCount':
        return resultReply('quantity', `0x${(nonceAt(block.number) + (salt === '' ? 0 : 5)).toString(16)}`)
      case 'eth_getCode':
        return resultReply('data', `0x${hexDigits(seed, 24)}`)
      case 'eth_getStorageAt':
        return resultReply('data', `0x${hexDigits(seed, 64)}`)
      case 'eth_estimateGas':
        return execution(seed, method)
      case 'eth_feeHistory': {
        const [count, percentiles] = subject.split(',').map(Number)
        const history = feeHistoryObject(chainId, block, count ?? 1, percentiles ?? 0)
        if (salt === '') return resultReply('fee-history', history)
        const base = [...(history.baseFeePerGas as string[])]
        return resultReply('fee-history', {
          ...history,
          baseFeePerGas: base.with(-1, `0x${hexDigits(seed, 9)}1`),
        })
      }
      default:
        return nothing
    }
  })
}

/** A call with too little gas runs out of it; with enough gas its result does not depend on the gas. */
function callAt(chainId: number, block: Block, { method, subject }: ParsedCall, salt: string): NodeReply {
  const [to, data, gas] = subject.split(',')
  const seed = `${chainId}|${method}|${to},${data}|${hashOf(block)}|${salt}`
  const reply = cached(seed, () => execution(seed, method))
  const isShort = Number(gas) < needAt(chainId, block, `${to},${data}`)
  return reply.kind === 'result' && isShort ? outOfGas : reply
}

const outOfGas: NodeReply = { kind: 'rejected', meaning: 'refusal vm-halt' }

export function needAt(chainId: number, block: Block, subject: string): number {
  return needOf(`${chainId}|eth_estimateGas|${subject}|${hashOf(block)}|`)
}

const needOf = (seed: string): number => 21_000 + (hash32(seed, 5) % 50_000)

/** Some executions revert or are refused, depending on the call. */
function execution(seed: string, method: string): NodeReply {
  const dice = hash32(seed.split('|').slice(0, 3).join('|').replace(method, ''), 3) % 12
  if (dice === 0) {
    const data = `0x08c379a0${hexDigits(seed, 32)}`
    return { kind: 'reverted', data, meaning: `revert ${data}` }
  }
  if (dice === 1) return { kind: 'rejected', meaning: 'refusal insufficient-funds' }
  if (method === 'eth_estimateGas') return resultReply('quantity', `0x${needOf(seed).toString(16)}`)
  return resultReply('data', `0x${hexDigits(seed, 64)}`)
}

export const nonceAt = (number: number): number => number >> 2

const quantity = (seed: string, digits: number) => `0x1${hexDigits(seed, digits)}`

/** The block of a call at this tip; null if the tip does not have it. */
export function blockIn(tip: Tip, { block: ref }: ParsedCall): Block | null {
  if (ref.kind === 'hash') {
    const block = blockOf(ref.hash)
    return block !== null && isOn(tip, block) ? block : null
  }
  const number = numberIn(tip, ref)
  return number === null || number > tip.number ? null : blockAt(tip, number)
}

function numberIn(tip: Tip, ref: ParsedCall['block']): number | null {
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

export function textOf(reply: Extract<NodeReply, { kind: 'result' }>, dialect: Dialect): string {
  if (reply.shape !== 'block' && reply.shape !== 'receipt') return render(reply.shape, reply.value, dialect)
  const key = `${dialect}|${reply.meaning}`
  const known = texts.get(key)
  if (known !== undefined) return known
  if (texts.size > cacheMax / 10) texts.clear()
  const text = render(reply.shape, reply.value, dialect)
  texts.set(key, text)
  return text
}
