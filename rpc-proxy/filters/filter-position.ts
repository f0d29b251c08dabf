import type { BlockId } from '../events/evidence-types.ts'

/** A log as a quorum agreed on it; what else is in it is the client's business. */
export interface FilterLog {
  readonly blockNumber: string
  readonly blockHash: string
}

/** A block that a filter has been told of, and which of its logs. */
export interface TrailStep extends BlockId {
  readonly logs: readonly FilterLog[]
}

/** The blocks that a filter remembers, ascending; the last one is how far it has been told. Never empty. */
export type Trail = readonly TrailStep[]

/** A reorg deeper than this is not told to filters. */
const blocksMax = 256
const stepsMax = 256
/** Estimated memory of the logs of one trail; the oldest are forgotten first. */
const bytesMax = 262_144

export const begin = ({ number, hash }: BlockId): Trail => [{ number, hash, logs: [] }]

export const last = (trail: Trail): TrailStep => trail.at(-1) as TrailStep

/**
 * The trail as far as it is still the chain, and the steps that are gone: walks back from the end for a block that is still the chain,
 * as all before it is too.
 */
export async function split(trail: Trail, isCanonical: (block: BlockId) => Promise<boolean>) {
  let length = trail.length
  while (length > 0 && !(await isCanonical(trail[length - 1] as TrailStep))) length -= 1
  return { common: trail.slice(0, length), gone: trail.slice(length) }
}

/** Logs by their blocks. */
export function stepsOf(logs: readonly FilterLog[]): readonly TrailStep[] {
  const steps = new Map<number, TrailStep & { readonly logs: FilterLog[] }>()
  for (const log of logs) {
    const number = Number(log.blockNumber)
    const step = steps.get(number) ?? { number, hash: log.blockHash, logs: [] }
    step.logs.push(log)
    steps.set(number, step)
  }
  return [...steps.values()].sort((a, b) => a.number - b.number)
}

/** The trail gone on over what has been told now, up to `end`, cut to its bounds. */
export function extend(common: readonly TrailStep[], blocks: readonly TrailStep[], end: BlockId): Trail {
  const logs = blocks.find(({ number }) => number === end.number)?.logs ?? []
  const before = [...common, ...blocks].filter(({ number }) => number < end.number)
  return bounded([...before, { number: end.number, hash: end.hash, logs }], end.number)
}

function bounded(steps: readonly TrailStep[], end: number): Trail {
  const near = steps.filter(({ number }) => number > end - blocksMax).slice(-stepsMax)
  let bytes = 0
  const newestFirst = near.toReversed().map((step) => {
    bytes += bytesOf(step.logs)
    return bytes <= bytesMax ? step : { ...step, logs: [] }
  })
  return newestFirst.toReversed()
}

export const bytesOf = (value: unknown): number => JSON.stringify(value).length

/** What one poll tells. */
interface Telling {
  /** JSON text of a list. */
  readonly raw: string
  /** Blocks that are gone and have not been taken back yet, ascending. */
  readonly unread: readonly TrailStep[]
  readonly blocks: readonly TrailStep[]
  /** What is left for the next poll begins here; null: nothing is. */
  readonly rest: 'lost' | TrailStep | null
}

interface Tellable {
  /** Blocks that have been told and are gone, ascending. */
  readonly gone: readonly TrailStep[]
  readonly blocks: readonly TrailStep[]
  /** What is told of a new block. */
  readonly newsOf: (step: TrailStep) => readonly unknown[]
}

export const nothingNew = '[]'

/** As much as one answer holds, block by block: first what is lost, the newest first, then what is new. */
export function tellingOf({ gone, blocks, newsOf }: Tellable, bytesMax: number): Telling {
  const texts = [...gone.toReversed().map(lossOf), ...blocks.map(newsOf)].map((items) =>
    items.map((item) => JSON.stringify(item)).join(),
  )
  let bytes = 1
  const over = texts.findIndex((text) => {
    bytes += text === '' ? 0 : text.length + 1
    return bytes > bytesMax
  })
  const fitting = over < 0 ? texts : texts.slice(0, over)
  return {
    raw: `[${fitting.filter((text) => text !== '').join()}]`,
    unread: gone.slice(0, Math.max(0, gone.length - fitting.length)),
    blocks: blocks.slice(0, Math.max(0, fitting.length - gone.length)),
    rest: over < 0 ? null : (blocks[over - gone.length] ?? 'lost'),
  }
}

/** What was told of a block that is gone, the newest first. */
function lossOf({ logs }: TrailStep): readonly unknown[] {
  return logs.toReversed().map((log) => ({ ...log, removed: true }))
}
