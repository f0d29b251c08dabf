import type { Policy } from '../events/evidence-types.ts'
import type { NodeIndex, OperatorIndex } from '../runtime/indexes.ts'

/** The operators that may vote, and what a quorum of them takes. From the configuration alone: a node's state never shrinks it. */
export interface Electorate {
  readonly operators: readonly string[]
  /** Each operator has the weight of its heaviest node that may vote; 0 where none may. */
  readonly weights: readonly number[]
  /** The operator of each node of the chain. */
  readonly operatorOf: readonly OperatorIndex[]
  /** Operators with a weight. */
  readonly eligible: OperatorSet
  /** Operators without whose vote there is no quorum. */
  readonly required: OperatorSet
  readonly total: number
  readonly needed: number
  readonly operatorsMin: number
  /** The winner must also weigh more than half of the total. */
  readonly majority: boolean
}

interface WeightedNode {
  readonly operator: string
  readonly weight: number
  /** Voters by default. A witness has no weight in an everyday round. */
  readonly role?: NodeRole
  readonly required?: boolean
}

/** Voters are sent calls every day; witnesses only when a voter is unusable or outvoted, and in protected rounds. */
type NodeRole = 'voter' | 'witness'

export function electorateOf(
  nodes: readonly WeightedNode[],
  needed: number,
  operatorsMin: number,
): Electorate {
  const heaviest = new Map<string, number>()
  for (const { operator, weight, role } of nodes)
    heaviest.set(operator, Math.max(role === 'witness' ? 0 : weight, heaviest.get(operator) ?? 0))
  const operators = [...heaviest.keys()]
  const weights = [...heaviest.values()]
  const indexOf = (operator: string) => operators.indexOf(operator) as OperatorIndex
  return {
    operators,
    weights,
    operatorOf: nodes.map(({ operator }) => indexOf(operator)),
    eligible: unionOf(
      weights.flatMap((weight, index) => (weight > 0 ? [setOf(index as OperatorIndex)] : [])),
    ),
    required: unionOf(nodes.flatMap((node) => (node.required ? [setOf(indexOf(node.operator))] : []))),
    total: weights.reduce((sum, weight) => sum + weight, 0),
    needed,
    operatorsMin,
    majority: false,
  }
}

/** The same operators under each policy. */
export interface Electorates extends Readonly<Record<Policy, Electorate>> {
  /** What decides an everyday round that witnesses cannot complete: its result is marked as thin. */
  readonly degraded: Electorate
  /** There are witnesses, or nodes that must vote: rounds can be tightened. */
  readonly mayTighten: boolean
}

/** What is read of a chain's configuration here. */
interface ElectoratesOptions {
  readonly nodes: readonly WeightedNode[]
  readonly quorum: number
  readonly operatorsMin: number
  /** Operators that a protected round takes, but no more than a majority of those configured. */
  readonly protect: { readonly operatorsMin: number }
}

/** Below so many operators nothing is agreed on by the policy `bridge`. */
export const bridgeOperatorsMin = 3

/** Half of the voters every day; more than half of voters and witnesses where a voter's silence must not lower the bar. */
export function electoratesOf({ nodes, quorum, operatorsMin, protect }: ElectoratesOptions): Electorates {
  const everyday = electorateOf(nodes, quorum, operatorsMin)
  const full = nodes.map((node): WeightedNode => ({ ...node, role: 'voter' }))
  // As any majority: of two operators at least, where there are two.
  const tightened = withMajority(electorateOf(full, quorum, operatorsMin))
  const count = tightened.operators.length
  const strict = Math.max(count, bridgeOperatorsMin)
  const protectMin = Math.min(protect.operatorsMin, Math.floor(count / 2) + 1)
  return {
    everyday,
    tightened,
    // One operator alone confirms nothing, though the chain may have no other.
    protected: { ...tightened, operatorsMin: Math.max(operatorsMin, protectMin, 2) },
    // None may be missing, not even one that is silent.
    bridge: { ...tightened, needed: tightened.total, operatorsMin: strict, required: tightened.eligible },
    degraded: { ...everyday, required: noOperators },
    mayTighten: nodes.some(({ role, required }) => role === 'witness' || required),
  }
}

/** The same electorate, but a quorum takes over half of all weight, and two operators where there are two. */
export function withMajority(electorate: Electorate): Electorate {
  const operatorsMin = Math.max(electorate.operatorsMin, Math.min(2, electorate.operators.length))
  return { ...electorate, operatorsMin, majority: true }
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
    // One that takes no transactions cannot reject them either.
    required: intersection(electorate.required, operators),
  }
}

export function operatorOfNode({ operatorOf }: Electorate, node: NodeIndex): OperatorIndex {
  return operatorOf[node] as OperatorIndex
}

export function operatorsOfNodes(electorate: Electorate, nodes: readonly NodeIndex[]): OperatorSet {
  return nodes.reduce((set, node) => union(set, setOf(operatorOfNode(electorate, node))), noOperators)
}

export function namesOf({ operators }: Electorate, set: OperatorSet): readonly string[] {
  // Kept for long in evidence: the copy that `map` makes has no room to grow.
  return listOperators(set).map((index) => operators[index] as string)
}

export function weightOf({ weights }: Electorate, operators: OperatorSet): number {
  let sum = 0
  for (let bits: number = operators; bits !== 0; bits &= bits - 1)
    sum += weights[31 - Math.clz32(bits & -bits)] ?? 0
  return sum
}

/** The weight that a quorum takes, the majority included where that is asked for. */
export function neededOf({ needed, total, majority }: Electorate): number {
  return majority ? Math.max(needed, Math.floor(total / 2) + 1) : needed
}

export function isQuorum(electorate: Electorate, operators: OperatorSet): boolean {
  const weight = weightOf(electorate, operators)
  if (weight < electorate.needed || countEligible(electorate, operators) < electorate.operatorsMin)
    return false
  if (!isEmpty(difference(electorate.required, operators))) return false
  return !electorate.majority || weight * 2 > electorate.total
}

/** Of these operators, how many have a weight. */
export function countEligible({ eligible }: Electorate, operators: OperatorSet): number {
  return countOperators(intersection(operators, eligible))
}

declare const kind: unique symbol

/** A set of an electorate's operators. A number, since a round makes some fifty of them: bit i is operator i. */
export type OperatorSet = number & { readonly [kind]: 'operators' }

/** Bits of an int32 without its sign. */
export const operatorsMax = 30

export const noOperators = 0 as OperatorSet

export function setOf(operator: OperatorIndex): OperatorSet {
  return (1 << operator) as OperatorSet
}

export function union(one: OperatorSet, other: OperatorSet): OperatorSet {
  return (one | other) as OperatorSet
}

export function unionOf(sets: readonly OperatorSet[]): OperatorSet {
  return sets.reduce(union, noOperators)
}

/** Operators that count in any of these groups. */
export function operatorsIn(groups: readonly { readonly operators: OperatorSet }[]): OperatorSet {
  return groups.reduce((set, { operators }) => union(set, operators), noOperators)
}

export function intersection(one: OperatorSet, other: OperatorSet): OperatorSet {
  return (one & other) as OperatorSet
}

export function difference(set: OperatorSet, other: OperatorSet): OperatorSet {
  return (set & ~other) as OperatorSet
}

export function isEmpty(set: OperatorSet): boolean {
  return set === 0
}

export function contains(set: OperatorSet, operator: OperatorIndex): boolean {
  return (set & (1 << operator)) !== 0
}

export function countOperators(set: OperatorSet): number {
  let count = 0
  for (let bits: number = set; bits !== 0; bits &= bits - 1) count++
  return count
}

export function listOperators(set: OperatorSet): readonly OperatorIndex[] {
  const operators: OperatorIndex[] = []
  for (let bits: number = set; bits !== 0; bits &= bits - 1)
    operators.push((31 - Math.clz32(bits & -bits)) as OperatorIndex)
  return operators
}
