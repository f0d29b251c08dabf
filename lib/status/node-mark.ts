import type { NodeSnapshot } from '#lib/engine/engine-reads.ts'

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
