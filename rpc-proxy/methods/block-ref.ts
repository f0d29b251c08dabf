import { badParams, readHash, readQuantity, term } from './params.ts'

/** Where a method names its block. */
export type Pin =
  /** Nowhere. */
  | 'none'
  /** `params[index]`; a missing one means latest. */
  | number
  /** `params[0].fromBlock`, `.toBlock` or `.blockHash`. */
  | 'range'

type BlockTag = 'latest' | 'safe' | 'finalized' | 'earliest' | 'pending'

/** A block as a call names it. */
export type BlockRef = { readonly tag: BlockTag } | { readonly number: number } | { readonly hash: string }

/** The blocks that a call names, from its canonical params: none, one, or the two ends of a range. */
export function blockRefsOf(spec: { readonly pin: Pin }, params: readonly unknown[]): readonly BlockRef[] {
  if (spec.pin === 'none') return []
  if (spec.pin !== 'range') return [refOf(params[spec.pin])]
  const { blockHash, fromBlock, toBlock } = params[0] as RangeText
  return blockHash === undefined ? [refOf(fromBlock), refOf(toBlock)] : [{ hash: blockHash }]
}

/**
 * The same call at the numbers that `numberOf` gives for its blocks; a block for which it gives undefined stays as it
 * was named. Params are canonical before and after.
 */
export function withBlock(
  spec: { readonly pin: Pin },
  params: readonly unknown[],
  numberOf: (ref: BlockRef) => number | undefined,
): readonly unknown[] {
  const pinned = (block: unknown) => {
    const number = numberOf(refOf(block))
    return number === undefined ? block : hexOf(number)
  }
  if (spec.pin === 'none') return params
  if (spec.pin !== 'range') return params.with(spec.pin, pinned(params[spec.pin]))
  const filter = params[0] as RangeText
  if (filter.blockHash !== undefined) return params
  return [{ ...filter, fromBlock: pinned(filter.fromBlock), toBlock: pinned(filter.toBlock) }]
}

/**
 * The numbers of a range whose ends are pinned; null where the call has none or names a hash. Throws CallError
 * `bad-params` when it runs backwards or is longer than `blocksMax`.
 */
export function rangeOf(
  spec: { readonly pin: Pin },
  params: readonly unknown[],
  blocksMax: number,
): { readonly from: number; readonly to: number } | null {
  const [from, to] = blockRefsOf(spec, params)
  if (from === undefined || to === undefined || !('number' in from && 'number' in to)) return null
  if (from.number > to.number) throw badParams('invalid block range params')
  if (to.number - from.number >= blocksMax)
    throw badParams(`block range too large, at most ${blocksMax} blocks`)
  return { from: from.number, to: to.number }
}

export const hexOf = (number: number | bigint): string => `0x${number.toString(16)}`

interface RangeText {
  readonly blockHash?: string
  readonly fromBlock?: string
  readonly toBlock?: string
}

/** From canonical text only: a tag, a number in hex, a hash, or an object of EIP-1898 with a hash. */
function refOf(value: unknown): BlockRef {
  if (typeof value === 'object' && value !== null) return { hash: (value as { blockHash: string }).blockHash }
  if (typeof value !== 'string' || !value.startsWith('0x')) return { tag: (value ?? 'latest') as BlockTag }
  return value.length === 66 ? { hash: value } : { number: Number(value) }
}

/** A block of which state is read: a missing tag and `pending` are the agreed head. */
export const stateBlock = block({ pending: 'latest', hash: 'object' })
/** Where `pending` has a meaning of its own: the next nonce. */
export const nonceBlock = block({ pending: 'pending', hash: 'object' })
/** A block by number or tag, also as an end of a range. There is no agreed pending block, so it is null. */
export const numberedBlock = block({ pending: undefined, hash: undefined })
/** A block whose fees are read; geth takes no hash here. */
export const feeBlock = block({ pending: 'latest', hash: undefined })
/** A block named whole by eth_getBlockReceipts, whose specification wants a hash as plain text. */
export const receiptsBlock = block({ pending: undefined, hash: 'text' })

/** Whether a block is named `pending`, in either of the two ways that the terms above read it. */
export function isPending(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === 'pending'
  return (value as { blockNumber?: unknown }).blockNumber === 'pending'
}

interface BlockTerm {
  readonly pending: 'latest' | 'pending' | undefined
  readonly hash: 'object' | 'text' | undefined
}

type BlockText = string | { readonly blockHash: string; readonly requireCanonical?: true }

function block({ pending, hash }: BlockTerm) {
  const want = [
    `a block: number in hex without leading zeros, latest, safe, finalized${pending === undefined ? '' : ', pending'}`,
    hash === undefined ? 'or earliest' : 'earliest or a hash',
  ].join(hash === undefined ? ' ' : ', ')
  return term(want, (value): BlockText | undefined => {
    if (value === undefined) return 'latest'
    if (typeof value === 'string') return readBlock(value, pending) ?? readHashText(value, hash)
    return hash === undefined ? undefined : readObject(value, { pending, hash })
  })
}

const tags = new Set(['latest', 'safe', 'finalized', 'earliest'])

function readBlock(value: string, pending: BlockTerm['pending']): string | undefined {
  if (tags.has(value)) return value
  if (value === 'pending') return pending
  const number = readQuantity(value, 16)
  // geth counts blocks in int64.
  return number === undefined || (number.length === 18 && number > '0x7fffffffffffffff') ? undefined : number
}

function readHashText(value: string, form: BlockTerm['hash']): BlockText | undefined {
  const blockHash = form === undefined ? undefined : readHash(value)
  return blockHash === undefined || form === 'text' ? blockHash : { blockHash }
}

/** EIP-1898: `{blockNumber}`, or `{blockHash}` with or without `requireCanonical`; both at once is an error in geth too. */
function readObject(value: unknown, { pending, hash }: BlockTerm): BlockText | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  const { blockHash, blockNumber, requireCanonical } = value as Record<string, unknown>
  const isStrict = requireCanonical ?? false
  if (typeof isStrict !== 'boolean') return
  if (typeof blockNumber === 'string') return blockHash == null ? readBlock(blockNumber, pending) : undefined
  const text = blockNumber == null ? readHash(blockHash) : undefined
  if (text === undefined) return
  if (isStrict) return { blockHash: text, requireCanonical: true }
  return hash === 'text' ? text : { blockHash: text }
}
