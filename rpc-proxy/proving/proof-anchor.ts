import type { Chain } from '../chain/chain.ts'
import type { BlockId, PinnedBlock, Policy } from '../events/evidence-types.ts'
import type { Head } from '../heads/heads.ts'
import { isQuorum, type OperatorSet, operatorOfNode, operatorsOfNodes } from '../quorum/electorate.ts'
import { lastStep, startingPolicy } from '../quorum/policy.ts'
import { isVoterDown } from '../quorum/verdict.ts'
import type { NodeIndex } from '../runtime/indexes.ts'

/** The agreed block against which a proof is held, and on whose word it is agreed. */
export interface ProofAnchor {
  /** The block as the call is pinned to it. */
  readonly pinned: PinnedBlock | null
  readonly policy: Policy
  readonly isThin: boolean
  readonly operators: OperatorSet
  /** Where nothing proves it, a quorum is asked instead. */
  readonly orQuorum: boolean
}

interface Reader {
  readonly chain: Chain
  readonly policy: Policy
}

interface At extends Pick<ProofAnchor, 'pinned' | 'orQuorum'> {
  readonly block: BlockId
  /** By which nodes prove it; null where the block alone does. */
  readonly method: string | null
}

/**
 * The anchor in this block, supported by the operators that show the head, which descends from it. Null where a round that began now would
 * take more, or where no node is known to prove it. Where a proof is required, a thin anchor is marked.
 */
export function anchorOf(reader: Reader, { block, pinned, method, orQuorum }: At): ProofAnchor | null {
  const { heads, electorates } = reader.chain
  const head = heads.current()
  if (head === null) return null
  if (orQuorum && method !== null && !hasProver(reader, method, block.number)) return null
  const policy = policyFor(reader, head)
  const operators = operatorsOfNodes(electorates[policy], head.nodes)
  const isFirm = !head.isThin && isQuorum(electorates[policy], operators)
  const isThin =
    lastStep(policy, { isAgreed: isFirm }) === 'degrade' && isQuorum(electorates.degraded, operators)
  if (!isFirm && (orQuorum || !isThin)) return null
  return { pinned, policy, isThin, operators, orQuorum }
}

/** A voter that is down tightens proofs as it tightens rounds. */
function policyFor({ chain, policy }: Reader, head: Head): Policy {
  const { nodes, electorate, electorates } = chain
  if (policy === 'protected') return head.policy
  const members = nodes.map((node, index) => ({
    operator: operatorOfNode(electorate, index as NodeIndex),
    isWitness: node.options.role === 'witness',
    isDown: node.health.status().state !== 'usable',
  }))
  const isDoubtful = isVoterDown(members)
  return startingPolicy(head.policy, { mayTighten: electorates.mayTighten, isDoubtful })
}

/** A node that is asked under this policy, and has not shown that it cannot prove this block, or lately failed to prove any. */
function hasProver({ chain, policy }: Reader, method: string, number: number): boolean {
  return chain.nodes.some(
    (node) =>
      (policy === 'protected' || node.options.role === 'voter') &&
      node.health.status().state === 'usable' &&
      node.health.unsupported.serves(method, number) &&
      !node.health.deprioritized.has(method),
  )
}
