import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  countOperators,
  electorateOf,
  isQuorum,
  listOperators,
  operatorsMax,
  operatorsOfNodes,
  unionOf,
  weightOf,
  withMajority,
} from '../../../../rpc-proxy/quorum/electorate.ts'
import type { NodeIndex } from '../../../../rpc-proxy/runtime/indexes.ts'
import { bits, operator } from '../../support/operators.ts'

const node = (operator: string, weight = 1) => ({ operator, weight })

test('nodes stand for their operators', () => {
  const electorate = electorateOf([node('x'), node('y'), node('x'), node('z')], 2, 1)
  const operators = operatorsOfNodes(electorate, [2, 0, 3] as readonly number[] as readonly NodeIndex[])
  expect(operators).toBe(bits(0b101))
})

test('sets have the weight and the count of their bits, up to the last bit', () => {
  const nodes = Array.from({ length: operatorsMax }, (_, index) => node(`n${index}`, index + 1))
  const electorate = electorateOf(nodes, 1, 1)
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(operatorsMax - 1)), (members) => {
      const set = unionOf(members.map(operator))
      expect(weightOf(electorate, set)).toBe(members.reduce((sum, member) => sum + member + 1, 0))
      expect(countOperators(set)).toBe(members.length)
      expect(listOperators(set)).toEqual(members.toSorted((a, b) => a - b))
    }),
  )
})

test('a quorum of a majority needs more than half, and two operators if there are two', () => {
  const four = withMajority(electorateOf([node('w'), node('x'), node('y'), node('z')], 2, 1))
  expect([0b0011, 0b0111].map((set) => isQuorum(four, bits(set)))).toEqual([false, true])
  const heavy = withMajority(electorateOf([node('x', 9), node('y')], 1, 1))
  expect([0b01, 0b11].map((set) => isQuorum(heavy, bits(set)))).toEqual([false, true])
  expect(isQuorum(withMajority(electorateOf([node('x')], 0.5, 1)), bits(0b1))).toBe(true)
  expect(isQuorum(withMajority(electorateOf([node('x'), node('y'), node('z')], 3, 3)), bits(0b011))).toBe(
    false,
  )
})
