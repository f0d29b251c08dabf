import { expect, test } from 'vitest'
import { weakestOf } from '#lib/page/reading.ts'
import { agreementLine } from '#lib/page/texts/chain.ts'

const two = { operators: 2, dissenting: 0, unreached: 0 }
const proven = { ...two, isProven: true } as const

test.each([
  // Two that were asked and agree are no dissent, however many there are.
  [two, 'Agreed by 2 independent operators'],
  [{ ...two, operators: 1 }, 'Answered by one operator'],
  [proven, 'Proven at a block of 2 operators'],
  [{ ...two, operators: 3, dissenting: 1 }, 'Agreed by 3 independent operators, 1 operator disagreed'],
  [{ ...two, operators: 3, dissenting: 2 }, 'Agreed by 3 independent operators, 2 operators disagreed'],
  [
    { operators: 3, dissenting: 2, unreached: 2 },
    '3 of 7 operators confirm this; 2 could not be reached, 2 operators disagreed',
  ],
  [{ operators: 1, dissenting: 0, unreached: 1 }, '1 of 2 operators confirms this; 1 could not be reached'],
])('of the quorum %j a visitor is told: %s', (quorum, line) => {
  expect(agreementLine(quorum)).toBe(line)
})

test.each([
  [
    'the fewest operators, and the dissent of any',
    [
      { ...two, operators: 3 },
      { ...two, dissenting: 1 },
    ],
    { ...two, dissenting: 1 },
  ],
  ['those that any of them lacks', [two, { ...two, unreached: 4 }, two], { ...two, unreached: 4 }],
  ['a proof where all have one', [proven, proven], proven],
  ['no proof where one has none', [proven, two], two],
  ['none where one of them is unknown', [two, null], null],
  ['none where there is nothing', [], null],
])('several figures have %s', (_, quorums, weakest) => {
  expect(weakestOf(quorums)).toEqual(weakest)
})
