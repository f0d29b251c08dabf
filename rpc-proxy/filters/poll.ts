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
  /** A longer text reaches no caller. */
  readonly answerBytesMax: number
  /** The agreed head now; not the one that a request has pinned. */
  readonly head: () => Promise<BlockId>
  /** The hash of the agreed block at a number; null where nobody agrees on one, and above the head. */
  readonly hashAt: (number: number) => Promise<string | null>
  /** Agreed logs, as the result of eth_getLogs for this filter. `isSure` is false where something speaks against them. */
  readonly logs: (
    filter: LogFilter,
  ) => Promise<{ readonly raw: string; readonly proof: Proof; readonly isSure: boolean }>
}

/** What is new as JSON text, how far the filter has been told, and what it rests on. */
export interface Changes<Proof> {
  readonly raw: string
  readonly trail: Trail
  readonly proof: Proof | null
}

export const nothingNew = '[]'

/** Hashes of blocks that one poll brings; whoever lags further behind gets them by several. */
const blocksMax = 128

/** What a look brought. */
interface Looked<Proof> {
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
    return { told, proof: null, isSure: true }
  }
  return poll(trail, chain, { look, blocksMax, newsOf: ({ hash }) => [hash] })
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
    return { told: stepsOf(JSON.parse(raw) as readonly Log[]), proof, isSure }
  }
  return poll(trail, chain, { look, blocksMax: chain.logsRangeMax, newsOf: ({ logs }) => logs })
}

interface PollOptions<Proof> {
  readonly look: Look<Proof>
  readonly blocksMax: number
  /** What is told of a block. */
  readonly newsOf: (step: Step) => readonly unknown[]
}

const nothing: Looked<never> = { told: [], proof: null, isSure: true }

/** A filter does not go by a block this near the head while its logs are not sure: a node may lack the newest for a moment. */
const unsureBlocks = 2

/** A chain that changes under each of so many looks is left for the next poll. */
const attemptsMax = 3

async function poll<Proof>(
  trail: Trail,
  chain: FilterChain<Proof>,
  { look, blocksMax: most, newsOf }: PollOptions<Proof>,
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
    const { raw, taken, told, rest } = fitted(parted, looked.told, newsOf, chain.answerBytesMax)
    if (rest !== null) to = (rest === 'lost' ? from : rest.number) - 1
    // Nothing can be told before it: the trail stays, and whoever asks is told so.
    if (rest !== null && to < from && raw === nothingNew) throw new CallError('answer-too-large')
    const next =
      to < from
        ? await standing(parted, { taken, number: Math.min(head.number, from - 1) }, head, chain)
        : extend(parted.kept, told, await idAt(to, head, chain))
    if (!(await isCanonical(head, head, chain))) continue
    return { raw, trail: next, proof: looked.proof }
  }
  return { raw: nothingNew, trail, proof: null }
}

interface Fitted {
  readonly raw: string
  /** Blocks that are taken back, the newest ones. */
  readonly taken: number
  readonly told: readonly Step[]
  /** What is left for the next poll begins here. */
  readonly rest: 'lost' | Step | null
}

/** As much as one answer holds, block by block: first what is lost, the newest first, then what is new. */
function fitted(
  { gone }: Split,
  told: readonly Step[],
  newsOf: (step: Step) => readonly unknown[],
  bytesMax: number,
): Fitted {
  const texts = [...gone.toReversed().map(lossOf), ...told.map(newsOf)].map((items) =>
    items.map((item) => JSON.stringify(item)).join(),
  )
  let bytes = 1
  const over = texts.findIndex((text) => {
    bytes += text === '' ? 0 : text.length + 1
    return bytes > bytesMax
  })
  const fitting = over < 0 ? texts.length : over
  return {
    raw: `[${texts
      .slice(0, fitting)
      .filter((text) => text !== '')
      .join()}]`,
    taken: Math.min(fitting, gone.length),
    told: told.slice(0, Math.max(0, fitting - gone.length)),
    rest: over < 0 ? null : (told[over - gone.length] ?? 'lost'),
  }
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

/** Where nothing new is to be told, the trail ends where it is still the chain, or before all that is to be told yet. */
async function standing<Proof>(
  { kept, gone }: Split,
  { taken, number }: { readonly taken: number; readonly number: number },
  head: BlockId,
  chain: FilterChain<Proof>,
): Promise<Trail> {
  const [first, ...rest] = [...kept, ...gone.slice(0, gone.length - taken)]
  return first === undefined ? begin(await idAt(Math.max(0, number), head, chain)) : [first, ...rest]
}

async function idAt<Proof>(number: number, head: BlockId, chain: FilterChain<Proof>): Promise<BlockId> {
  return number === head.number ? head : { number, hash: await hashOf(number, chain) }
}

async function hashOf<Proof>(number: number, chain: FilterChain<Proof>): Promise<string> {
  const hash = await chain.hashAt(number)
  if (hash === null) throw new CallError('block-not-found')
  return hash
}

/** What was told of a block that is gone, the newest first. */
function lossOf({ logs }: Step): readonly unknown[] {
  return logs.toReversed().map((log) => ({ ...log, removed: true }))
}

/** The number of an end that names one; tags leave it open. */
function numberOf(end = 'latest'): number | null {
  if (end === 'earliest') return 0
  return end.startsWith('0x') ? Number(end) : null
}
