import type { Electorate } from '../quorum/electorate.ts'
import type { ReadMember } from '../quorum/verdict.ts'
import type { NodeIndex, OperatorIndex } from '../runtime/indexes.ts'
import type { Node } from './node.ts'

/** A node that may be sent a call. */
export interface Candidate extends ReadMember {
  readonly node: Node
  readonly index: NodeIndex
  /** A witness that is left to protected calls. */
  readonly isReserved: boolean
  /** Its plan has no more units this month. */
  readonly isSpent: boolean
}

interface Ranked extends Candidate {
  readonly behind: boolean
  readonly deprioritized: boolean
  readonly backlog: number
  readonly score: number
  readonly chance: number
}

interface OrderOptions {
  readonly electorate: Pick<Electorate, 'operatorOf'>
  readonly method: string
  readonly block: number | null
  readonly random: () => number
}

/**
 * Whom to ask first: usable nodes before the rest, then those whose plan is not spent, then voters before witnesses, then those that
 * have the block, then those that answered such calls lately, then those with fewer requests before ours, then priority, then score;
 * ties by chance, so that two alike do not decide for ever.
 */
export function inOrder(
  nodes: readonly Node[],
  { electorate, method, block, random }: OrderOptions,
): readonly Candidate[] {
  // It lives as long as the round, and a list that grows makes room for 17.
  const ordered = new Array<Ranked>(nodes.length)
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index] as Node
    const { state } = node.health.status()
    const head = node.head()
    const ranked: Ranked = {
      node,
      index: index as NodeIndex,
      operator: electorate.operatorOf[index] as OperatorIndex,
      isUsable: state === 'usable' && node.health.unsupported.serves(method, block),
      open: state === 'open' || state === 'half-open',
      isWitness: node.options.role === 'witness',
      isReserved: node.isReserved(),
      isSpent: node.plan.isSpent(),
      isDown: state !== 'usable',
      behind: block !== null && head !== null && head < block,
      deprioritized: node.health.deprioritized.has(method),
      backlog: node.budget.backlog(),
      score: node.health.score(),
      chance: random(),
    }
    // By hand: a chain has few nodes, and `sort` makes copies for every read.
    let place = index
    for (; place > 0 && isBefore(ranked, ordered[place - 1] as Ranked); place--)
      ordered[place] = ordered[place - 1] as Ranked
    ordered[place] = ranked
  }
  return ordered
}

function isBefore(a: Ranked, b: Ranked): boolean {
  const difference =
    Number(b.isUsable) - Number(a.isUsable) ||
    Number(a.isSpent) - Number(b.isSpent) ||
    Number(a.isWitness) - Number(b.isWitness) ||
    Number(a.behind) - Number(b.behind) ||
    Number(a.deprioritized) - Number(b.deprioritized) ||
    a.backlog - b.backlog ||
    a.node.options.priority - b.node.options.priority ||
    a.score - b.score ||
    a.chance - b.chance
  return difference < 0
}
