import type { BlockId } from '../events/evidence-types.ts'
import { isBlankBloom, isSetIn } from './log-filter.ts'

/** What a quorum has agreed on about a block; null where it has not. */
interface BlockFacts {
  readonly logsBloom: string | null
  /** The hashes of its transactions, as `shortHashes` writes them. */
  readonly transactions: string | null
}

/** The last agreed blocks of a chain. */
export interface AgreedBlocks {
  readonly chainId: number
  readonly at: (number: number) => BlockFacts | null
  readonly of: (hash: string) => BlockFacts | null
  readonly checkpoints: Checkpoints
}

/**
 * Whether a canonical result fits the blocks that are agreed on. One of another branch fits: chains are reorganised, and its votes tell.
 * `params` are those that the node was sent.
 */
export type FitsBlocks = (params: readonly unknown[], read: unknown, blocks: AgreedBlocks) => boolean

type Read = Readonly<Record<string, unknown>>

/** Digits that are kept of each hash: no two of one chain begin alike for so long. */
const digits = 16
const shortHash = (hash: string) => hash.slice(2, 2 + digits).toLowerCase()
const isHash = (value: unknown): value is string =>
  typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value)

/** The transactions of a block, in order; null for what are no hashes. */
export function shortHashes(hashes: unknown): string | null {
  return Array.isArray(hashes) && hashes.every(isHash) ? hashes.map(shortHash).join('') : null
}

/** How many transactions these are. */
const countOf = (transactions: string): number => transactions.length / digits

/** The body of a block is the agreed one, and no checkpoint speaks against it. */
export const block: FitsBlocks = (_, read, blocks) => {
  const { number, hash, parentHash, transactions } = read as Readonly<
    Record<'number' | 'hash' | 'parentHash', string>
  > & { readonly transactions: readonly (string | Read)[] }
  if (isAgainst(blocks.checkpoints, { number: Number(number), hash, parentHash })) return false
  const agreed = blocks.of(hash)?.transactions
  const hashes = transactions.map((each) => (typeof each === 'string' ? each : each.hash))
  return agreed == null || agreed === shortHashes(hashes)
}

/** The number of transactions is the agreed one. */
export const count: FitsBlocks = ([of], read, blocks) => isCount(Number(read), factsOf(of, blocks))

/** One receipt for each transaction: some nodes leave out those of Polygon's state syncs. */
export const receipts: FitsBlocks = ([of], read, blocks) => {
  const all = read as readonly Read[]
  const { blockHash } = all[0] ?? {}
  const facts = typeof blockHash === 'string' ? blocks.of(blockHash) : factsOf(of, blocks)
  return isCount(all.length, facts) && all.every((receipt) => isPlaced(receipt, blocks))
}

/** A transaction, a receipt or a log stands at its place in its block. */
export const inclusion: FitsBlocks = (_, read, blocks) => isPlaced(read as Read, blocks)

/** Each log stands at the place of its transaction, and its address and first topic are in its block's bloom. */
export const logs: FitsBlocks = (_, read, blocks) => {
  const known = remembered(blocks)
  const seen = new Set<string>()
  return (read as readonly Read[]).every((log) => {
    if (!isPlaced(log, known)) return false
    // Thousands of logs have few addresses and first topics.
    const [topic = ''] = log.topics as readonly string[]
    const key = `${log.blockHash}${log.address}${topic}`
    if (seen.has(key)) return true
    seen.add(key)
    return isInBloom(log, known)
  })
}

/** Polygon's state syncs are in no bloom before Madhugiri. */
const chainWithPartialBlooms = 137

function remembered(blocks: AgreedBlocks): AgreedBlocks {
  const facts = new Map<string, BlockFacts | null>()
  return {
    ...blocks,
    of(hash) {
      const found = facts.get(hash)
      if (found !== undefined) return found
      const read = blocks.of(hash)
      facts.set(hash, read)
      return read
    },
  }
}

function isCount(count: number, facts: BlockFacts | null): boolean {
  return facts?.transactions == null || countOf(facts.transactions) === count
}

function factsOf(block: unknown, blocks: AgreedBlocks): BlockFacts | null {
  if (typeof block !== 'string' || !block.startsWith('0x')) return null
  return block.length === 66 ? blocks.of(block) : blocks.at(Number(block))
}

function isPlaced(
  { blockHash, blockNumber, transactionIndex, transactionHash, hash = transactionHash }: Read,
  blocks: AgreedBlocks,
): boolean {
  if (
    typeof blockHash === 'string' &&
    isAgainst(blocks.checkpoints, { number: Number(blockNumber), hash: blockHash })
  )
    return false
  const facts = typeof blockHash === 'string' ? blocks.of(blockHash) : null
  const at = Number(transactionIndex) * digits
  return facts?.transactions == null || facts.transactions.startsWith(shortHash(hash as string), at)
}

function isInBloom({ blockHash, address, topics }: Read, blocks: AgreedBlocks): boolean {
  if (blocks.chainId === chainWithPartialBlooms || typeof blockHash !== 'string') return true
  const bloom = blocks.of(blockHash)?.logsBloom
  const values = [address as string, ...(topics as readonly string[]).slice(0, 1)]
  return bloom == null || isBlankBloom(bloom) || values.every((value) => isSetIn(bloom, value))
}

/** Blocks that the chain is known to have, whatever nodes say: that of the configuration, and the last that was signed as final. */
export type Checkpoints = () => readonly BlockId[]

/** A block as something names it; its parent where it is the block itself. */
interface Named extends BlockId {
  readonly parentHash?: string | undefined
}

/** Whether it stands in the place of a checkpoint, or on another block than the checkpoint. */
export function isAgainst(checkpoints: Checkpoints, { number, hash, parentHash }: Named): boolean {
  return checkpoints().some(
    (known) =>
      (number === known.number && hash !== known.hash) ||
      (number === known.number + 1 && parentHash !== undefined && parentHash !== known.hash),
  )
}
