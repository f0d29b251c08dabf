import type { BlockId, Evidence } from '../events/evidence-types.ts'
import { hexOf } from '../methods/block-ref.ts'
import type { LogFilter } from '../methods/log-filter.ts'
import { CallError } from '../runtime/errors.ts'
import {
  begin,
  extend,
  type FilterLog,
  last,
  nothingNew,
  split,
  stepsOf,
  type Trail,
  type TrailStep,
  tellingOf,
} from './filter-position.ts'

/** The agreed chain as a filter sees it. */
export interface FilterChain {
  readonly chainId: number
  /** Who asks, as the rate counts callers; null where they cannot be told apart. */
  readonly caller: string | null
  /** Blocks that one look at logs may span. */
  readonly logsRangeMax: number
  /** A longer text reaches no caller. */
  readonly answerBytesMax: number
  /** The agreed head now; not the one that a request has pinned. */
  readonly head: () => Promise<BlockId>
  /** The hash of the agreed block at a number; null where there is no agreed one, and above the head. */
  readonly hashAt: (number: number) => Promise<string | null>
  /** Agreed logs, as the result of eth_getLogs for this filter. `isSure` is false where something speaks against them. */
  readonly logs: (
    filter: LogFilter,
  ) => Promise<{ readonly raw: string; readonly evidence: Evidence | null; readonly isSure: boolean }>
}

/** What is new as JSON text, how far the filter has been told, and what it rests on. */
export interface Changes {
  readonly raw: string
  readonly trail: Trail
  readonly evidence: Evidence | null
}

/** Block hashes that one poll returns; a filter that lags further needs several polls. */
const blocksMax = 128

/** What a look brought. */
interface BlocksRead {
  readonly blocks: readonly TrailStep[]
  readonly evidence: Evidence | null
  /** False: a node that has not spoken may know of more. */
  readonly isSure: boolean
}

/** Looks from one block to another. */
type ReadBlocks = (from: number, to: number) => Promise<BlocksRead>

/** New blocks since the end of the trail, on the chain that is agreed now. */
export function pollBlocks(trail: Trail, chain: FilterChain): Promise<Changes> {
  const readBlocks: ReadBlocks = async (from, to) => {
    const numbers = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
    const blocks = await Promise.all(
      numbers.map(async (number) => ({ number, hash: await hashOf(number, chain), logs: [] })),
    )
    return { blocks, evidence: null, isSure: true }
  }
  return poll(trail, chain, { readBlocks, blocksMax, newsOf: ({ hash }) => [hash] })
}

/** New logs since the end of the trail, after those that a reorg took back, which come with `removed: true`. */
export function pollLogs(trail: Trail, filter: LogFilter, chain: FilterChain): Promise<Changes> {
  const first = numberOf(filter.fromBlock) ?? 0
  const final = numberOf(filter.toBlock) ?? Number.POSITIVE_INFINITY
  const readBlocks: ReadBlocks = async (from, to) => {
    const [fromBlock, toBlock] = [Math.max(first, from), Math.min(final, to)]
    if (fromBlock > toBlock) return nothing
    const { raw, evidence, isSure } = await chain.logs({
      ...filter,
      fromBlock: hexOf(fromBlock),
      toBlock: hexOf(toBlock),
    })
    return { blocks: stepsOf(JSON.parse(raw) as readonly FilterLog[]), evidence, isSure }
  }
  return poll(trail, chain, { readBlocks, blocksMax: chain.logsRangeMax, newsOf: ({ logs }) => logs })
}

interface PollOptions {
  readonly readBlocks: ReadBlocks
  readonly blocksMax: number
  /** What is told of a block. */
  readonly newsOf: (step: TrailStep) => readonly unknown[]
}

const nothing: BlocksRead = { blocks: [], evidence: null, isSure: true }

/** A filter does not go by a block this near the head while its logs are not sure: a node may lack the newest for a moment. */
const unsureBlocks = 2

/** Tries of one poll while the chain keeps changing; then the next poll reads it. */
const attemptsMax = 3

async function poll(
  trail: Trail,
  chain: FilterChain,
  { readBlocks, blocksMax: most, newsOf }: PollOptions,
): Promise<Changes> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const head = await chain.head()
    const parted = await split(trail, (block) => isCanonical(block, head, chain))
    const from = (parted.common.at(-1)?.number ?? (parted.gone[0] ?? last(trail)).number - 1) + 1
    let to = Math.min(head.number, from + most - 1)
    let blocksRead = await readBlocks(from, to)
    if (!blocksRead.isSure && to > head.number - unsureBlocks) {
      to = Math.max(head.number - unsureBlocks, from - 1)
      blocksRead = to < from ? nothing : await readBlocks(from, to)
    }
    const { raw, unread, blocks, rest } = tellingOf(
      { gone: parted.gone, blocks: blocksRead.blocks, newsOf },
      chain.answerBytesMax,
    )
    if (rest !== null) to = (rest === 'lost' ? from : rest.number) - 1
    // Nothing can be returned before it: the filter stays where it is, and the poll fails.
    if (rest !== null && to < from && raw === nothingNew) throw new CallError('answer-too-large')
    // Where nothing new is told, the trail ends where it is still the chain, or before all that is to be told yet.
    const before = Math.max(0, Math.min(head.number, from - 1))
    let next: Trail = [...parted.common, ...unread]
    if (to >= from) next = extend(parted.common, blocks, await idAt(to, head, chain))
    else if (next.length === 0) next = begin(await idAt(before, head, chain))
    if (!(await isCanonical(head, head, chain))) continue
    return { raw, trail: next, evidence: blocksRead.evidence }
  }
  return { raw: nothingNew, trail, evidence: null }
}

async function isCanonical({ number, hash }: BlockId, head: BlockId, chain: FilterChain): Promise<boolean> {
  const agreed = await chain.hashAt(number)
  // Unknown: above the head the block is gone; below it, this is no reason to report logs as removed.
  return agreed === null ? number <= head.number : agreed === hash
}

async function idAt(number: number, head: BlockId, chain: FilterChain): Promise<BlockId> {
  return number === head.number ? head : { number, hash: await hashOf(number, chain) }
}

async function hashOf(number: number, chain: FilterChain): Promise<string> {
  const hash = await chain.hashAt(number)
  if (hash === null) throw new CallError('block-not-found')
  return hash
}

/** The number of an end that names one; tags leave it open. */
function numberOf(end = 'latest'): number | null {
  if (end === 'earliest') return 0
  return end.startsWith('0x') ? Number(end) : null
}
