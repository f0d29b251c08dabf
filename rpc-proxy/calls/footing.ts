import type { Chain } from '../chain/chain.ts'
import type { BlockId } from '../events/evidence-types.ts'
import type { Head } from '../heads/heads.ts'
import { isQuorum, operatorOfNode, operatorsOfNodes } from '../quorum/electorate.ts'
import { isVoterDown } from '../quorum/progress.ts'
import type { NodeIndex } from '../runtime/indexes.ts'
import type { Footing } from './prove.ts'
import type { Scope } from './services.ts'

interface At extends Pick<Footing, 'pinned' | 'orQuorum'> {
  readonly block: BlockId
  /** By which nodes prove it; null where the block alone does. */
  readonly method: string | null
}

/**
 * On whose word what is in this block is proven: theirs who show the head, which descends from it. Null where that is less than a round
 * would take that began now, or where no node is known to prove it; where a proof is required, what is thin is marked so.
 */
export function footingOf({ chain, policy }: Scope, { block, pinned, method, orQuorum }: At): Footing | null {
  const { heads, electorates } = chain
  const head = heads.current()
  if (head === null) return null
  if (orQuorum && method !== null && !hasProver(chain, { policy, method, number: block.number })) return null
  const needed = neededFor(chain, policy, head)
  const operators = operatorsOfNodes(electorates[needed], head.nodes)
  const isFirm = !head.isThin && isQuorum(electorates[needed], operators)
  const isThin = !isFirm && needed === 'tightened' && isQuorum(electorates.thin, operators)
  if (!isFirm && (orQuorum || !isThin)) return null
  return { hash: block.hash, pinned, policy: needed, isThin, operators, orQuorum }
}

/** A voter that is down tightens proofs as it tightens rounds. */
function neededFor(
  { nodes, electorate, electorates }: Chain,
  policy: Scope['policy'],
  head: Head,
): Footing['policy'] {
  if (policy === 'protected' || !electorates.mayTighten) return head.policy
  const members = nodes.map((node, index) => ({
    operator: operatorOfNode(electorate, index as NodeIndex),
    isWitness: node.options.role === 'witness',
    isDown: node.status().state !== 'usable',
  }))
  return isVoterDown(members) ? 'tightened' : head.policy
}

/** A node that is asked under this policy, and has not shown that it cannot prove this block, or lately failed to prove any. */
function hasProver(
  { nodes }: Chain,
  { policy, method, number }: { policy: Scope['policy']; method: string; number: number },
): boolean {
  return nodes.some(
    (node) =>
      (policy === 'protected' || node.options.role === 'voter') &&
      node.status().state === 'usable' &&
      node.serves(method, number) &&
      !node.isDeprioritized(method),
  )
}
