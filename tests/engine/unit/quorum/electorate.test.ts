import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  countOperators,
  electorateOf,
  listOperators,
  operatorsMax,
  setOf,
  unionOf,
  weightOf,
} from '../../../../rpc-proxy/quorum/electorate.ts'
import type { OperatorIndex } from '../../../../rpc-proxy/runtime/indexes.ts'

test('sets have the weight and the count of their bits, up to the last bit', () => {
  const nodes = Array.from({ length: operatorsMax }, (_, index) => ({
    operator: `n${index}`,
    weight: index + 1,
  }))
  const electorate = electorateOf(nodes, 1, 1)
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(operatorsMax - 1)), (members) => {
      const set = unionOf(members.map((member) => setOf(member as OperatorIndex)))
      expect(weightOf(electorate, set)).toBe(members.reduce((sum, member) => sum + member + 1, 0))
      expect(countOperators(set)).toBe(members.length)
      expect(listOperators(set)).toEqual(members.toSorted((a, b) => a - b))
    }),
  )
})
