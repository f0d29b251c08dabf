import { type Electorate, isQuorum, operatorsOfNodes } from '../quorum/electorate.ts'
import type { NodeIndex } from '../runtime/indexes.ts'
import type { Head } from './agreement.ts'
import type { AgreedBlock } from './head-views.ts'

interface AgreedRules {
  readonly electorate: Electorate
  /** More than half of voters and witnesses; null where polls are not tightened. */
  readonly tightened: Electorate | null
}

/** What is left of an agreed block when not all who showed it are believed any more; null where that is no quorum. */
export function stillAgreed(
  agreed: Head | null,
  isBelieved: (node: NodeIndex) => boolean,
  { electorate, tightened }: AgreedRules,
): Head | null {
  const nodes = agreed?.nodes.filter(isBelieved) ?? []
  const isQuorumOf = (of: Electorate) => isQuorum(of, operatorsOfNodes(of, nodes))
  const isTight = tightened !== null && isQuorumOf(tightened)
  const isOwn = isQuorumOf(electorate)
  if (agreed === null || !(isTight || isOwn)) return null
  const policy = isOwn ? agreed.policy : 'tightened'
  const isThin = agreed.isThin || (policy === 'tightened' && !isTight)
  return { ...agreed, nodes, policy, isThin, block: bare(agreed.block), timeMs: null }
}

/** A block of which its hash alone is agreed, and what follows from it. */
function bare(block: AgreedBlock): AgreedBlock {
  if (block.stateRoot !== null) return { ...block, transactions: null }
  return { ...block, parentHash: null, logsBloom: null, gasLimit: null, transactions: null }
}
