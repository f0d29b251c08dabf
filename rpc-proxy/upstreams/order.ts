import type { NodeIndex } from '../runtime/indexes.ts'
import type { Node } from './node.ts'

/** A node as the asking sees it, in the order in which to ask. */
export interface Candidate {
  readonly node: Node
  readonly index: NodeIndex
  /** Whether it is worth asking now; the others are the last resort, never excluded. */
  readonly isUsable: boolean
  /** Its breaker is not closed: no verdict waits for it alone. */
  readonly open: boolean
  readonly isWitness: boolean
  /** A witness that is left to protected calls. */
  readonly isReserved: boolean
  /** Its state is not `usable`, whatever is called. */
  readonly isDown: boolean
}

/**
 * Whom to ask first: usable nodes before the rest, then voters before witnesses, then those that have the block, then those that answered such
 * calls lately, then those with fewer requests before ours, then
 * priority, then score; ties by chance, so that two alike do not decide for ever.
 */
export function inOrder(
  nodes: readonly Node[],
  method: string,
  block: number | null,
  random: () => number,
): readonly Candidate[] {
  return nodes
    .map((node, index) => {
      const { state } = node.status()
      const head = node.head()
      return {
        node,
        index: index as NodeIndex,
        isUsable: state === 'usable' && node.serves(method, block),
        open: state === 'open' || state === 'half-open',
        isWitness: node.options.role === 'witness',
        isReserved: node.isReserved(),
        isDown: state !== 'usable',
        behind: block !== null && head !== null && head < block,
        deprioritized: node.isDeprioritized(method),
        backlog: node.backlog(),
        score: node.score(),
        chance: random(),
      }
    })
    .sort(
      (a, b) =>
        Number(b.isUsable) - Number(a.isUsable) ||
        Number(a.isWitness) - Number(b.isWitness) ||
        Number(a.behind) - Number(b.behind) ||
        Number(a.deprioritized) - Number(b.deprioritized) ||
        a.backlog - b.backlog ||
        a.node.options.priority - b.node.options.priority ||
        a.score - b.score ||
        a.chance - b.chance,
    )
}
