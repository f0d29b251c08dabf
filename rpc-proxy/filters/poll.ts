import { CallError } from '../errors.ts'
import type { BlockId } from '../events.ts'
import { hexOf } from '../methods/block-ref.ts'
import type { LogFilter } from '../methods/log-filter.ts'
import { begin, extend, type Log, last, type Split, type Step, split, stepsOf, type Trail } from './trail.ts'

/** The agreed chain as a filter sees it. `Proof` is what an answer rests on. */
export interface FilterChain<Proof> {
  readonly chainId: number
  /** Blocks that one look at logs may span. */
  readonly logsRangeMax: number
  /** The agreed head now; not the one that a request has pinned. */
  readonly head: () => Promise<BlockId>
  /** The hash of the agreed block at a number; null where nobody agrees on one. */
  readonly hashAt: (number: number) => Promise<string | null>
  /** Agreed logs, as the result of eth_getLogs for this filter. `isSure` is false where something speaks against them. */
  readonly logs: (
    filter: LogFilter,
  ) => Promise<{ readonly raw: string; readonly proof: Proof; readonly isSure: boolean }>
}

/** What is new, how far the filter has been told, and what it rests on. */
export interface Changes<Proof> {
  readonly news: readonly unknown[]
  readonly trail: Trail
  readonly proof: Proof | null
}

/** Hashes of blocks that one poll brings; whoever lags further behind gets them by several. */
const blocksMax = 128

/** What a look brought. */
interface Looked<Proof> {
  readonly news: readonly unknown[]
  readonly told: readonly Step[]
  readonly proof: Proof | null
  /** False: a node that has not spoken may know of more. */
  readonly isSure: boolean
}

/** Looks from one block to another. */
type Look<Proof> = (from: number, to: number) => Promise<Looked<Proof>>

/** New blocks since the end of the trail, on the chain that is agreed now. */
export function pollBlocks<Proof>(trail: Trail, chain: FilterChain<Proof>): Promise<Changes<Proof>> {
  const look: Look<Proof> = async (from, to) => {
    const numbers = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
    const told = await Promise.all(
      numbers.map(async (number) => ({ number, hash: await hashOf(number, chain), logs: [] })),
    )
    return { news: told.map(({ hash }) => hash), told, proof: null, isSure: true }
  }
  return poll(trail, chain, { look, blocksMax, isToldOfLoss: false })
}

/** New logs since the end of the trail, after those that a reorg took back, which come with `removed: true`. */
export function pollLogs<Proof>(
  trail: Trail,
  filter: LogFilter,
  chain: FilterChain<Proof>,
): Promise<Changes<Proof>> {
  const first = numberOf(filter.fromBlock) ?? 0
  const final = numberOf(filter.toBlock) ?? Number.POSITIVE_INFINITY
  const look: Look<Proof> = async (from, to) => {
    const [fromBlock, toBlock] = [Math.max(first, from), Math.min(final, to)]
    if (fromBlock > toBlock) return nothing
    const { raw, proof, isSure } = await chain.logs({
      ...filter,
      fromBlock: hexOf(fromBlock),
      toBlock: hexOf(toBlock),
    })
    const logs = JSON.parse(raw) as readonly Log[]
    return { news: logs, told: stepsOf(logs), proof, isSure }
  }
  return poll(trail, chain, { look, blocksMax: chain.logsRangeMax, isToldOfLoss: true })
}

interface PollOptions<Proof> {
  readonly look: Look<Proof>
  readonly blocksMax: number
  /** Clients know that logs can be taken back; of blocks they see only the new ones. */
  readonly isToldOfLoss: boolean
}

const nothing: Looked<never> = { news: [], told: [], proof: null, isSure: true }

/** A filter does not go by a block this near the head while its logs are not sure: a node may lack the newest for a moment. */
const unsureBlocks = 2

/** A chain that changes under each of so many looks is left for the next poll. */
const attemptsMax = 3

async function poll<Proof>(
  trail: Trail,
  chain: FilterChain<Proof>,
  { look, blocksMax: most, isToldOfLoss }: PollOptions<Proof>,
): Promise<Changes<Proof>> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const head = await chain.head()
    const parted = await split(trail, (block) => isCanonical(block, head, chain))
    const from = (parted.kept.at(-1)?.number ?? (parted.gone[0] ?? last(trail)).number - 1) + 1
    let to = Math.min(head.number, from + most - 1)
    let looked = await look(from, to)
    if (!looked.isSure && to > head.number - unsureBlocks) {
      to = Math.max(head.number - unsureBlocks, from - 1)
      looked = to < from ? nothing : await look(from, to)
    }
    const { news, told, proof } = looked
    const next = to < from ? standing(parted, head) : extend(parted.kept, told, await idAt(to, head, chain))
    if (!(await isCanonical(head, head, chain))) continue
    return { news: isToldOfLoss ? [...lost(parted), ...news] : news, trail: next, proof }
  }
  return { news: [], trail, proof: null }
}

async function isCanonical<Proof>(
  { number, hash }: BlockId,
  head: BlockId,
  chain: FilterChain<Proof>,
): Promise<boolean> {
  const agreed = await chain.hashAt(number)
  // Nobody knows: above the head it has gone; below, it is no reason to take anything back.
  return agreed === null ? number <= head.number : agreed === hash
}

/** Where nothing new is to be told, the trail ends where it is still the chain. */
function standing({ kept }: Split, head: BlockId): Trail {
  const [first, ...rest] = kept
  return first === undefined ? begin(head) : [first, ...rest]
}

async function idAt<Proof>(number: number, head: BlockId, chain: FilterChain<Proof>): Promise<BlockId> {
  return number === head.number ? head : { number, hash: await hashOf(number, chain) }
}

async function hashOf<Proof>(number: number, chain: FilterChain<Proof>): Promise<string> {
  const hash = await chain.hashAt(number)
  if (hash === null) throw new CallError('block-not-found')
  return hash
}

/** What was told of blocks that are gone, the newest first. */
function lost({ gone }: Split): readonly unknown[] {
  return gone
    .flatMap(({ logs }) => logs)
    .reverse()
    .map((log) => ({ ...log, removed: true }))
}

/** The number of an end that names one; tags leave it open. */
function numberOf(end = 'latest'): number | null {
  if (end === 'earliest') return 0
  return end.startsWith('0x') ? Number(end) : null
}
