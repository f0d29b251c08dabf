import type { NodeIndex, OperatorIndex } from '../runtime/indexes.ts'
import {
  contains,
  countOperators,
  noOperators,
  type OperatorSet,
  setOf,
  sumOver,
  union,
  unionOf,
} from './operator-set.ts'

/** The operators that may vote, and what a quorum of them takes. From the configuration alone: a node's state never shrinks it. */
export interface Electorate {
  readonly operators: readonly string[]
  /** Each operator has the weight of its heaviest node. */
  readonly weights: readonly number[]
  /** The operator of each node of the chain. */
  readonly operatorOf: readonly OperatorIndex[]
  readonly total: number
  readonly needed: number
  readonly operatorsMin: number
  /** The winner must also weigh more than half of the total. */
  readonly majority: boolean
}

interface WeightedNode {
  readonly operator: string
  readonly weight: number
}

export function electorateOf(
  nodes: readonly WeightedNode[],
  needed: number,
  operatorsMin: number,
): Electorate {
  const heaviest = new Map<string, number>()
  for (const { operator, weight } of nodes)
    heaviest.set(operator, Math.max(weight, heaviest.get(operator) ?? 0))
  const operators = [...heaviest.keys()]
  const weights = [...heaviest.values()]
  return {
    operators,
    weights,
    operatorOf: nodes.map(({ operator }) => operators.indexOf(operator) as OperatorIndex),
    total: weights.reduce((sum, weight) => sum + weight, 0),
    needed,
    operatorsMin,
    majority: false,
  }
}

/** The same electorate, but a quorum takes over half of all weight, and two operators where there are two. */
export function withMajority(electorate: Electorate): Electorate {
  const operatorsMin = Math.max(electorate.operatorsMin, Math.min(2, electorate.operators.length))
  return { ...electorate, operatorsMin, majority: true }
}

/** The same electorate, but a quorum takes two operators, though the chain may have one only. */
export function withTwoOperators(electorate: Electorate): Electorate {
  return { ...electorate, operatorsMin: Math.max(electorate.operatorsMin, 2) }
}

/**
 * What it takes to reject a transaction: a quorum, or all operators that take transactions where those weigh less, since no
 * other operator is sent any.
 */
export function withinOperators(electorate: Electorate, operators: OperatorSet): Electorate {
  return {
    ...electorate,
    needed: Math.min(electorate.needed, weightOf(electorate, operators)),
    operatorsMin: Math.min(electorate.operatorsMin, countOperators(operators)),
  }
}

export function operatorOfNode({ operatorOf }: Electorate, node: NodeIndex): OperatorIndex {
  return operatorOf[node] as OperatorIndex
}

/** The operators of these nodes. */
export function operatorsOfNodes(electorate: Electorate, nodes: readonly NodeIndex[]): OperatorSet {
  return nodes.reduce((set, node) => union(set, setOf(operatorOfNode(electorate, node))), noOperators)
}

export function namesOf({ operators }: Electorate, set: OperatorSet): readonly string[] {
  return operators.filter((_, index) => contains(set, index as OperatorIndex))
}

export function countNodes({ operatorOf }: Electorate, operator: OperatorIndex): number {
  return operatorOf.filter((each) => each === operator).length
}

export function everyOperator({ operators }: Electorate): OperatorSet {
  return unionOf(operators.map((_, index) => setOf(index as OperatorIndex)))
}

export function weightOf({ weights }: Electorate, operators: OperatorSet): number {
  return sumOver(operators, weights)
}

/** The weight that a quorum takes, the majority included where that is asked for. */
export function neededOf({ needed, total, majority }: Electorate): number {
  return majority ? Math.max(needed, Math.floor(total / 2) + 1) : needed
}

/** Whether these operators together are a quorum. */
export function isQuorum(electorate: Electorate, operators: OperatorSet): boolean {
  const weight = weightOf(electorate, operators)
  if (weight < electorate.needed || countOperators(operators) < electorate.operatorsMin) return false
  return !electorate.majority || weight * 2 > electorate.total
}
