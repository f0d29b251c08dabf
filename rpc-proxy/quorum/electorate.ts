/** A set of operators as bits: bit i is operator i of the electorate. */
export type Operators = number

/** Who may vote on a chain and how much it takes. Made of the configuration alone: a resting node never shrinks it. */
export interface Electorate {
  readonly operators: readonly string[]
  /** Each operator weighs what its heaviest node weighs. */
  readonly weights: readonly number[]
  readonly total: number
  readonly needed: number
  readonly operatorsMin: number
  /** The winner must also weigh more than half of the total. */
  readonly majority: boolean
}

interface Elector {
  readonly operator: string
  readonly weight: number
}

/** Bits are the sign-free ones of an int32. */
export const operatorsMax = 30

export function electorateOf(nodes: readonly Elector[], needed: number, operatorsMin: number): Electorate {
  const heaviest = new Map<string, number>()
  for (const { operator, weight } of nodes)
    heaviest.set(operator, Math.max(weight, heaviest.get(operator) ?? 0))
  const weights = [...heaviest.values()]
  return {
    operators: [...heaviest.keys()],
    weights,
    total: weights.reduce((sum, weight) => sum + weight, 0),
    needed,
    operatorsMin,
    majority: false,
  }
}

/** The same electorate, asked for more: over half of all weight, and two operators where there are two. */
export function withMajority(electorate: Electorate): Electorate {
  const operatorsMin = Math.max(electorate.operatorsMin, Math.min(2, electorate.operators.length))
  return { ...electorate, operatorsMin, majority: true }
}

/** The same electorate, where one operator's word is never enough, though the chain may have no other. */
export function withTwoOperators(electorate: Electorate): Electorate {
  return { ...electorate, operatorsMin: Math.max(electorate.operatorsMin, 2) }
}

export function weightOf({ weights }: Electorate, operators: Operators): number {
  let weight = 0
  for (let bits = operators; bits !== 0; bits &= bits - 1)
    weight += weights[31 - Math.clz32(bits & -bits)] ?? 0
  return weight
}

export function countOf(operators: Operators): number {
  let count = 0
  for (let bits = operators; bits !== 0; bits &= bits - 1) count++
  return count
}

/** Whether these operators together are a quorum. */
export function isQuorum(electorate: Electorate, operators: Operators): boolean {
  const weight = weightOf(electorate, operators)
  if (weight < electorate.needed || countOf(operators) < electorate.operatorsMin) return false
  return !electorate.majority || weight * 2 > electorate.total
}
