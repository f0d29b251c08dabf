import type { NodeSnapshot } from '#lib/engine-reads.ts'
import { markOf } from './node-mark.ts'

/** A node that is so many blocks behind the agreed head still counts as in sync: chains of four blocks a second move on while nodes are asked. */
export const inSyncBlocksMax = 5

/** How a chain's operators stand: how many there are, how many follow the agreed head, how fast those answer, and who stands out. */
export interface Sync {
  readonly operators: number
  /** Operators with a node that may vote, is not overruled again and again, and is at most `inSyncBlocksMax` blocks behind. */
  readonly inSync: number
  /** Median over the p50 of the nodes in sync, milliseconds; null when none has answered yet. */
  readonly p50Ms: number | null
  /** Names of nodes that are overruled again and again. */
  readonly disagreeing: readonly string[]
  /** Names of nodes that may vote and are more than `inSyncBlocksMax` blocks behind. */
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

/** The upper one of two in the middle; null of nothing. */
function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? null
}
