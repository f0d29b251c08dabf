import type { NodeSnapshot } from '#lib/engine/engine-reads.ts'

/** A node this many blocks behind the agreed head still counts as in sync: a chain with four blocks a second advances while nodes are asked. */
export const inSyncBlocksMax = 5

/** A summary of a chain's nodes by operator. */
export interface Sync {
  readonly operators: number
  /** Operators with a usable node that is not dissenting and at most `inSyncBlocksMax` blocks behind. */
  readonly inSync: number
  /** Median of the p50 of the nodes in sync, milliseconds; null when none has answered yet. */
  readonly p50Ms: number | null
  /** Names of dissenting nodes. */
  readonly disagreeing: readonly string[]
  /** Names of usable nodes more than `inSyncBlocksMax` blocks behind. */
  readonly behind: readonly string[]
}

type Node = Pick<NodeSnapshot, 'name' | 'operator' | 'state' | 'votes' | 'dissents' | 'lag' | 'latency'>

export function syncOf(nodes: readonly Node[]): Sync {
  const named = (mark: ReturnType<typeof markOf>) => nodes.filter((node) => markOf(node) === mark)
  const voting = named('usable').filter(({ lag }) => lag !== null)
  const [inSync, behind] = [voting.filter(isInSync), voting.filter((node) => !isInSync(node))]
  return {
    operators: countOperators(nodes),
    inSync: countOperators(inSync),
    p50Ms: median(inSync.flatMap(({ latency }) => latency?.p50Ms ?? [])),
    disagreeing: named('dissenting').map(({ name }) => name),
    behind: behind.map(({ name }) => name),
  }
}

function isInSync({ lag }: Node): boolean {
  return lag !== null && lag <= inSyncBlocksMax
}

function countOperators(nodes: readonly Node[]): number {
  return new Set(nodes.map(({ operator }) => operator)).size
}

/** The upper median; null when empty. */
function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? null
}

/** A single dissent may be chance, for example during a reorg. Above this share of votes it is a pattern. */
const dissentShareMin = 0.01

/** A node's label in a table: its state, or `dissenting` when it is usable but dissents too often. */
export function markOf({
  state,
  votes,
  dissents,
}: Pick<NodeSnapshot, 'state' | 'votes' | 'dissents'>): NodeSnapshot['state'] | 'dissenting' {
  const isDissenting = dissents > 1 && dissents >= dissentShareMin * votes
  return state === 'usable' && isDissenting ? 'dissenting' : state
}
