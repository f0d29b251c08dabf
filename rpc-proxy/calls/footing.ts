import type { Chain } from '../chain/chain.ts'
import type { PinnedBlock } from '../events/events.ts'
import type { Head } from '../heads/heads.ts'
import { isQuorum, operatorOfNode, operatorsOfNodes } from '../quorum/electorate.ts'
import { isVoterDown } from '../quorum/progress.ts'
import type { NodeIndex } from '../runtime/indexes.ts'
import { type Footing, proofSpec } from './prove.ts'
import type { Scope } from './services.ts'

interface At {
  readonly block: { readonly number: number; readonly hash: string; readonly stateRoot: string }
  readonly pinned: PinnedBlock | null
}

/**
 * On whose word the state of this block is proven: theirs who show the head, which descends from it. Null where that is less than a round
 * would take that began now, or where no node is known to prove it; where a proof is required, what is thin is marked so.
 */
export function footingOf({ chain, policy }: Scope, { block, pinned }: At): Footing | null {
  const { heads, electorates, config } = chain
  const head = heads.current()
  const isRequired = config.proofs === 'required'
  if (head === null || !(isRequired || hasProver(chain, policy, block.number))) return null
  const needed = neededFor(chain, policy, head)
  const operators = operatorsOfNodes(electorates[needed], head.nodes)
  const isFirm = !head.isThin && isQuorum(electorates[needed], operators)
  const isThin = !isFirm && needed === 'tightened' && isQuorum(electorates.thin, operators)
  if (!isFirm && !(isThin && isRequired)) return null
  return { hash: block.hash, stateRoot: block.stateRoot, pinned, policy: needed, isThin, operators }
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
function hasProver({ nodes }: Chain, policy: Scope['policy'], number: number): boolean {
  const { method } = proofSpec
  return nodes.some(
    (node) =>
      (policy === 'protected' || node.options.role === 'voter') &&
      node.status().state === 'usable' &&
      node.serves(method, number) &&
      !node.isDeprioritized(method),
  )
}
