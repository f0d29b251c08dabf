import { type Body, logsOf, receiptAt, transactionAt } from '../proofs/derived.ts'
import type { VerifiedHeader } from '../proofs/header-hash.ts'
import { emptyRoot } from '../proofs/trie-walk.ts'
import { logs as areLogsOf } from './about.ts'
import { indexOfHash } from './agreed-blocks.ts'
import { rangeOf } from './block-ref.ts'
import { bloomMayContain } from './log-bloom.ts'
import type { LogFilter } from './log-filter.ts'

/** An agreed block from which the head descends, and which hashes to its hash. */
export interface VerifiedBlock {
  readonly number: number
  readonly hash: string
  readonly verified: VerifiedHeader
  /** The hashes of its transactions, as `shortHashes` writes them: a hint. */
  readonly transactions: string | null
}

export interface VerifiedBlocks {
  readonly chainId: number
  readonly at: (number: number) => VerifiedBlock | null
  readonly of: (hash: string) => VerifiedBlock | null
  /** The newest first. */
  readonly all: () => readonly VerifiedBlock[]
}

/** How a result follows from whole blocks. */
export interface ProvesBody {
  readonly kind: 'body'
  /** Receipts are read, beside transactions. */
  readonly withReceipts: boolean
  /** The blocks that are read; null where it cannot be told which, or they are too many. */
  readonly blocksOf: (params: readonly unknown[], blocks: VerifiedBlocks) => readonly VerifiedBlock[] | null
  /** Undefined where some of it follows from no root. */
  readonly resultOf: (params: readonly unknown[], bodies: readonly Body[]) => unknown
}

/** Blocks that one call may read whole. */
const bodiesMax = 4

function named([block]: readonly unknown[], blocks: VerifiedBlocks): readonly VerifiedBlock[] | null {
  const text = block as string
  const found = text.length === 66 ? blocks.of(text) : blocks.at(Number(text))
  return found === null ? null : [found]
}

function having([hash]: readonly unknown[], { all }: VerifiedBlocks): readonly VerifiedBlock[] | null {
  const found = all().find(({ transactions }) => indexOfHash(transactions, hash as string) !== -1)
  return found === undefined ? null : [found]
}

/** What `read` reads of the transaction with this hash. */
const ofHash =
  (read: (body: Body, index: number) => unknown): ProvesBody['resultOf'] =>
  ([hash], [body]) => {
    const index = body?.transactions.findIndex((each) => each.hash === hash) ?? -1
    return body === undefined || index === -1 ? undefined : read(body, index)
  }

export const blockReceipts: ProvesBody = {
  kind: 'body',
  withReceipts: true,
  blocksOf: named,
  resultOf(_, [body]) {
    const all = body?.receipts.map((_, index) => receiptAt(body, index))
    return all?.includes(undefined) ? undefined : all
  },
}
export const transactionInBlock: ProvesBody = {
  kind: 'body',
  withReceipts: false,
  blocksOf: named,
  resultOf: ([, index], [body]) => body && transactionAt(body, Number(index)),
}
export const transaction: ProvesBody = {
  kind: 'body',
  withReceipts: false,
  blocksOf: having,
  resultOf: ofHash(transactionAt),
}
export const receipt: ProvesBody = {
  kind: 'body',
  withReceipts: true,
  blocksOf: having,
  resultOf: ofHash(receiptAt),
}
export const logs: ProvesBody = {
  kind: 'body',
  withReceipts: true,
  blocksOf: mayHold,
  resultOf: (params, bodies) => bodies.flatMap(logsOf).filter((log) => areLogsOf(params, [log])),
}

/** The blocks of a range whose blooms do not say that they hold none of these logs. */
function mayHold(params: readonly unknown[], blocks: VerifiedBlocks): readonly VerifiedBlock[] | null {
  const filter = params[0] as LogFilter
  const range = rangeOf({ pin: 'range' }, params, Number.POSITIVE_INFINITY)
  const found: VerifiedBlock[] = []
  const { from, to } = range ?? { from: 0, to: 0 }
  for (let number = from; number <= to; number++) {
    const block = range === null ? blocks.of(filter.blockHash ?? '') : blocks.at(number)
    if (block === null || isBloomPartial(blocks, block)) return null
    if (mayHoldIn(blocks, block, filter)) found.push(block)
  }
  return found.length > bodiesMax ? null : found
}

/** Madhugiri: from there on state syncs of Polygon are in blooms, and in roots. */
const isBloomPartial = ({ chainId }: VerifiedBlocks, { number }: VerifiedBlock) =>
  chainId === 137 && number < 80_084_800

/** Chains that write the bloom of what a block logs; some others leave it blank. */
const withBlooms: ReadonlySet<number> = new Set([1, 137, 42_161])

function mayHoldIn(
  { chainId }: VerifiedBlocks,
  { verified: { logsBloom, receiptsRoot } }: VerifiedBlock,
  filter: LogFilter,
): boolean {
  const isBlank = /^0x0*$/.test(logsBloom)
  if (!isBlank) return bloomMayContain(logsBloom, filter)
  return !withBlooms.has(chainId) && receiptsRoot !== emptyRoot
}
