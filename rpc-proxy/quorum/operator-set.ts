import type { OperatorIndex } from '../runtime/indexes.ts'

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

/** The sum of what each operator of the set has in a list of numbers by operator. */
export function sumOver(set: OperatorSet, values: readonly number[]): number {
  let sum = 0
  for (let bits: number = set; bits !== 0; bits &= bits - 1) sum += values[31 - Math.clz32(bits & -bits)] ?? 0
  return sum
}

export function listOperators(set: OperatorSet): readonly OperatorIndex[] {
  const operators: OperatorIndex[] = []
  for (let bits: number = set; bits !== 0; bits &= bits - 1)
    operators.push((31 - Math.clz32(bits & -bits)) as OperatorIndex)
  return operators
}
