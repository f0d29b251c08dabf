import type { EngineEvent } from '../events/events.ts'
import {
  difference,
  type Electorate,
  isEmpty,
  isQuorum,
  namesOf,
  type OperatorSet,
  operatorsOfNodes,
  union,
} from '../quorum/electorate.ts'
import { indexesOf, type NodeIndex } from '../runtime/indexes.ts'
import type { Cordon, DissentAt } from '../upstreams/health.ts'
import type { Node } from '../upstreams/node.ts'

interface SuspectsOptions {
  readonly chainId: number
  readonly nodes: readonly Node[]
  readonly electorate: Electorate
  readonly trust: Trust
  /** Called when what these operators said before no longer counts. */
  readonly onDistrust: (suspects: OperatorSet) => void
  readonly emit: (event: EngineEvent) => void
}

export function suspectsAmong(nodes: readonly Node[], electorate: Electorate): OperatorSet {
  const isSuspect = (index: NodeIndex) => nodes[index]?.health.isSuspect()
  return operatorsOfNodes(electorate, indexesOf<NodeIndex>(nodes).filter(isSuspect))
}

/** Dissents that may turn out to have been right. */
const refutedMax = 256

/**
 * Operators that are not believed: one of their nodes is cordoned or ejected, or was contradicted about an agreed block within
 * the last minute. When an operator becomes one, all that it has said before counts no more.
 */
export function createSuspects({ chainId, nodes, electorate, trust, onDistrust, emit }: SuspectsOptions) {
  /** The last dissents that were refuted, and by whom. */
  let refuted: readonly { readonly node: Node; readonly by: OperatorSet }[] = []
  const isMajority = (operators: OperatorSet) =>
    isQuorum({ ...electorate, operatorsMin: 1, majority: true }, operators)

  const now = () => suspectsAmong(nodes, electorate)

  /** Does something that may make the operator a suspect, and draws the consequences where it has become one. */
  function suspect(operator: string, change: () => void): void {
    const before = now()
    change()
    const added = difference(now(), before)
    if (isEmpty(added)) return
    trust.distrust(added)
    vindicate(added)
    for (const node of nodes) node.health.withdraw(operator)
    onDistrust(now())
    emit({ type: 'distrust', chainId, operator })
  }

  /** Reports as vindicated each node that was refuted by these operators and by too few others. */
  function vindicate(distrusted: OperatorSet): void {
    refuted = refuted.flatMap(({ node, by }) => {
      const others = difference(by, distrusted)
      if (isMajority(others)) return [{ node, by: others }]
      emit({ type: 'dissent-judged', chainId, node: node.options.name, ended: 'vindicated' })
      return []
    })
  }

  return {
    now,
    /** These nodes contradict what the chain is known to have: what they said before counts no more. */
    distrust(indexes: readonly NodeIndex[]): void {
      const distrusted = union(now(), operatorsOfNodes(electorate, indexes))
      trust.distrust(distrusted)
      onDistrust(distrusted)
    },
    /** The word of a node about an agreed block is refuted by these operators. */
    contradicted(node: Node, by: OperatorSet, at: DissentAt | null): void {
      const { operator } = node.options
      const others = difference(by, now())
      // Only more than half of all weight speaks of a node's honesty, and suspects do not.
      if (!isMajority(others)) return
      emit({ type: 'dissent-judged', chainId, node: node.options.name, ended: 'outvoted' })
      refuted = [...refuted, { node, by: others }].slice(-refutedMax)
      suspect(operator, () => node.health.recordDissent(namesOf(electorate, others), at))
    },
    /** Nodes of this operator contradict each other about an agreed block. */
    contradictsItself(operator: string): void {
      suspect(operator, () => {
        for (const node of nodes) if (node.options.operator === operator) node.health.recordDissent([], null)
      })
    },
    /** Takes a node out of use, or back with null; `by` names who does. */
    cordon(node: Node, cordon: Cordon | null, by: string | null): void {
      suspect(node.options.operator, () => node.health.cordon(cordon, by))
    },
  }
}

export type Suspects = ReturnType<typeof createSuspects>

/** Which votes of operators still count. Kept over a reload that leaves the voters as they are. */
export function createTrust() {
  /** Each distrust, the oldest first: an operator is named by its latest one alone. */
  let distrusts: readonly { readonly operators: OperatorSet; readonly epoch: number }[] = []
  let now = 0

  return {
    /** Counts the distrusts so far: a round remembers the epoch in which it began. */
    epoch: () => now,
    /** What these operators have said until now counts no more. */
    distrust(operators: OperatorSet): void {
      now += 1
      const others = distrusts
        .map((each) => ({ ...each, operators: difference(each.operators, operators) }))
        .filter((each) => !isEmpty(each.operators))
      distrusts = [...others, { operators, epoch: now }]
    },
    /** Those of these operators whose votes of that epoch still count. */
    believed(operators: OperatorSet, epoch: number): OperatorSet {
      // The usual case of every cache hit: no operator was distrusted since then.
      if (epoch === now) return operators
      return distrusts.reduce(
        (left, each) => (each.epoch > epoch ? difference(left, each.operators) : left),
        operators,
      )
    },
  }
}

export type Trust = ReturnType<typeof createTrust>
