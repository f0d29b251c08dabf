import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Electorate,
  electorateOf,
  electoratesOf,
  isQuorum,
  type OperatorSet,
} from '../../../../rpc-proxy/quorum/electorate.ts'
import {
  everydayRule,
  fewestOperators,
  inReachOf,
  operatorsToLie,
} from '../../../../rpc-proxy/quorum/operators-to-lie.ts'

const nodes = fc.array(
  fc.record({
    operator: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'),
    weight: fc.integer({ min: 1, max: 5 }),
    role: fc.constantFrom('voter' as const, 'witness' as const),
    required: fc.boolean(),
  }),
  { minLength: 1, maxLength: 9 },
)

/** Every set of operators, tried. */
function byBruteForce(electorate: Electorate): number | null {
  let fewest: number | null = null
  for (let set = 0; set < 2 ** electorate.operators.length; set++) {
    const count = set.toString(2).replaceAll('0', '').length
    if (isQuorum(electorate, set as OperatorSet) && count < (fewest ?? Number.POSITIVE_INFINITY))
      fewest = count
  }
  return fewest
}

test('the fewest operators that could lie are those that every set of operators, tried, gives', () => {
  fc.assert(
    fc.property(
      nodes,
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 4 }),
      (all, quorum, min) => {
        const set = electoratesOf({ nodes: all, quorum, operatorsMin: min, protect: { operatorsMin: 3 } })
        const { mayTighten: _, ...each } = set
        for (const electorate of Object.values(each))
          expect(fewestOperators(electorate)).toBe(byBruteForce(electorate))
      },
    ),
    { numRuns: 500 },
  )
})

const six = ['a', 'b', 'c', 'd', 'e', 'f'].map((operator, index) => ({
  operator,
  weight: 1,
  role: index < 3 ? ('voter' as const) : ('witness' as const),
}))
const electorates = electoratesOf({ nodes: six, quorum: 1.5, operatorsMin: 2, protect: { operatorsMin: 3 } })

test('three voters and three witnesses: two may lie every day, four while a voter is down, two where the witnesses are too', () => {
  const lies = (usable: number) => operatorsToLie(electorates, usable as OperatorSet)
  expect(lies(0b111111)).toEqual({ everyday: 2, protected: 4 })
  expect(lies(0b111110)).toEqual({ everyday: 4, protected: 4 })
  expect(lies(0b000110)).toEqual({ everyday: 2, protected: 4 })
  const rule = (usable: number) => everydayRule(electorates, usable as OperatorSet)
  expect([0b111111, 0b111110, 0b000110].map(rule)).toEqual(['everyday', 'tightened', 'thin'])
})

test('three voters and three witnesses: in reach is what the usable ones of both could agree on', () => {
  const inReach = (usable: number, everyday = usable) =>
    inReachOf(electorates, { usable: usable as OperatorSet, everyday: everyday as OperatorSet })
  expect(inReach(0b111111)).toEqual({ everyday: true, tightened: true, protected: true })
  // One voter is left, and the witnesses complete what it cannot.
  expect(inReach(0b111001)).toEqual({ everyday: true, tightened: true, protected: true })
  expect(inReach(0b000111)).toEqual({ everyday: true, tightened: false, protected: false })
  // Two witnesses are left to protected calls.
  expect(inReach(0b111110, 0b001110)).toEqual({ everyday: true, tightened: false, protected: true })
  expect(inReach(0b111000)).toEqual({ everyday: false, tightened: false, protected: false })
  const nodes = [{ operator: 'a', weight: 1 }]
  const alone = electoratesOf({ nodes, quorum: 0.5, operatorsMin: 1, protect: { operatorsMin: 3 } })
  const one = { usable: 0b1 as OperatorSet, everyday: 0b1 as OperatorSet }
  expect(inReachOf(alone, one)).toEqual({ everyday: true, tightened: null, protected: null })
})

test('where not all together are a quorum, nobody can lie', () => {
  expect(fewestOperators(electorateOf([{ operator: 'a', weight: 1 }], 2, 1))).toBe(null)
})
