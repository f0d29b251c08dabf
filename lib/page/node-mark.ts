import type { NodeSnapshot } from '#lib/engine-reads.ts'

/** A node may be overruled once by chance, as when it is read at the moment of a reorg; more is a pattern. */
const dissentShareMin = 0.01

/** How a node is marked in a table: its state, or that it may vote and is overruled too often. */
export function markOf({
  state,
  votes,
  dissents,
}: Pick<NodeSnapshot, 'state' | 'votes' | 'dissents'>): NodeSnapshot['state'] | 'dissenting' {
  const isDissenting = dissents > 1 && dissents >= dissentShareMin * votes
  return state === 'usable' && isDissenting ? 'dissenting' : state
}
