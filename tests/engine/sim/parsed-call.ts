import { emitters, topics } from './universe.ts'

/** A block parameter, from a caller or to a node. */
export type BlockRef =
  | { readonly kind: 'tag'; readonly tag: string }
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'hash'; readonly hash: string }
  | { readonly kind: 'none' }

/** A call to a node, parsed from its JSON. */
export interface ParsedCall {
  readonly method: string
  /** Everything except the block that determines the answer. */
  readonly subject: string
  readonly block: BlockRef
  /** The lower end of a range. */
  readonly from: BlockRef
}

/** The most gas of a call, and of a transaction where EIP-7825 is active. */
export const callGas = 30_000_000
const transactionGasMax = 16_777_216

/** The subject of the eth_call that confirms an estimate. A call without gas is sent with one of the two. */
export const subjectWithGas = (subject: string, gas: bigint): string =>
  `${subject},${gas === BigInt(transactionGasMax) ? callGas : gas}`

export const none: BlockRef = { kind: 'none' }

/** Equal asks have equal keys. */
export function keyOf({ method, subject, block, from }: ParsedCall): string {
  return `${method}|${subject}|${textOf(from)}|${textOf(block)}`
}

function textOf(block: BlockRef): string {
  if (block.kind === 'none') return ''
  return block.kind === 'tag' ? block.tag : block.kind === 'number' ? String(block.number) : block.hash
}

/** Parses the params of the methods that the simulation uses; null for others. */
export function parseCall(method: string, params: readonly unknown[]): ParsedCall | null {
  const [first, second, third] = params
  switch (method) {
    case 'eth_getBalance':
    case 'eth_getCode':
    case 'eth_getTransactionCount':
      return { method, subject: lower(first), block: refOf(second), from: none }
    case 'eth_getStorageAt':
      return { method, subject: `${lower(first)},${Number(second)}`, block: refOf(third), from: none }
    case 'eth_call':
    case 'eth_estimateGas': {
      const { to, data, input, gas } = first as { to?: string; data?: string; input?: string; gas?: string }
      const subject = `${lower(to)},${lower(data ?? input ?? '0x')}`
      return {
        method,
        subject: method === 'eth_call' ? subjectWithGas(subject, BigInt(gas ?? callGas)) : subject,
        block: refOf(second),
        from: none,
      }
    }
    case 'eth_getBlockByNumber':
      return { method, subject: String(second === true), block: refOf(first), from: none }
    case 'eth_getBlockByHash':
      return { method, subject: String(second === true), block: refOf(first), from: none }
    case 'eth_getBlockTransactionCountByNumber':
      return { method, subject: '', block: refOf(first), from: none }
    case 'eth_getTransactionByHash':
    case 'eth_getTransactionReceipt':
      return { method, subject: lower(first), block: none, from: none }
    case 'eth_feeHistory':
      return {
        method,
        subject: `${Number(first)},${((third ?? []) as unknown[]).length}`,
        block: refOf(second),
        from: none,
      }
    case 'eth_getLogs': {
      const { address, topics: wanted, fromBlock, toBlock, blockHash } = first as Record<string, unknown>
      const topic = Array.isArray(wanted) ? wanted[0] : undefined
      const subject = `${address === undefined ? '' : emitters.indexOf(lower(address))},${topic == null ? '' : topics.indexOf(lower(topic))}`
      if (blockHash !== undefined) return { method, subject, block: refOf(blockHash), from: none }
      return { method, subject, block: refOf(toBlock), from: refOf(fromBlock) }
    }
    case 'eth_chainId':
    case 'net_version':
    case 'eth_blockNumber':
      return { method, subject: '', block: none, from: none }
    case 'eth_sendRawTransaction':
      return { method, subject: String(first), block: none, from: none }
    default:
      return null
  }
}

function lower(value: unknown): string {
  return String(value).toLowerCase()
}

export function refOf(value: unknown): BlockRef {
  if (value === undefined || value === null) return { kind: 'tag', tag: 'latest' }
  if (typeof value === 'object') {
    const { blockHash, blockNumber } = value as { blockHash?: string; blockNumber?: string }
    return blockHash === undefined ? refOf(blockNumber) : { kind: 'hash', hash: blockHash.toLowerCase() }
  }
  const text = String(value)
  if (!text.startsWith('0x')) return { kind: 'tag', tag: text }
  return text.length === 66
    ? { kind: 'hash', hash: text.toLowerCase() }
    : { kind: 'number', number: Number(text) }
}
