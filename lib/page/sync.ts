import type { NodeSnapshot } from '#lib/read.ts'
import { markOf } from './node-mark.ts'

/** A node that is so many blocks behind the agreed head still counts as in sync: chains of four blocks a second move on while nodes are asked. */
export const inSyncBlocksMax = 5

/** How a chain's operators stand: how many there are, how many follow the agreed head, and how fast those answer. */
export interface Sync {
  readonly operators: number
  /** Operators with a node that may vote, is not overruled again and again, and is at most `inSyncBlocksMax` blocks behind. */
  readonly inSync: number
  /** Median over the p50 of the nodes in sync, milliseconds; null when none has answered yet. */
  readonly p50Ms: number | null
}

type Node = Pick<NodeSnapshot, 'operator' | 'state' | 'votes' | 'dissents' | 'lag' | 'latency'>

export function syncOf(nodes: readonly Node[]): Sync {
  const inSync = nodes.filter(
    (node) => markOf(node) === 'usable' && node.lag !== null && node.lag <= inSyncBlocksMax,
  )
  const operatorsOf = (some: readonly Node[]) => new Set(some.map(({ operator }) => operator)).size
  return {
    operators: operatorsOf(nodes),
    inSync: operatorsOf(inSync),
    p50Ms: median(inSync.flatMap(({ latency }) => latency?.p50Ms ?? [])),
  }
}

/** The upper one of two in the middle; null of nothing. */
function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? null
}
