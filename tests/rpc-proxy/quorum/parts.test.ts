import { expect, test } from 'vitest'
import { electorateOf } from '../../../rpc-proxy/quorum/electorate.ts'
import { agreeByParts } from '../../../rpc-proxy/quorum/parts.ts'
import type { Camp } from '../../../rpc-proxy/quorum/tally.ts'

const three = electorateOf(
  ['x', 'y', 'z'].map((operator) => ({ operator, weight: 1 })),
  2,
  1,
)
const split = (raw: string) => (raw.startsWith('!') ? null : raw.split(','))
const camp = (raw: string, operators: number, kind: Camp['kind'] = 'answer'): Camp => ({
  place: 0,
  kind,
  text: raw,
  variants: [{ raw, value: raw, operators }],
  voters: [],
  operators,
  isNull: false,
})
const agree = (...camps: readonly Camp[]) => agreeByParts(camps, three, split)

test('each part may have a quorum when no whole answer has one', () => {
  expect(agree(camp('1,2,9', 0b001), camp('1,8,3', 0b010), camp('7,2,3', 0b100))).toMatchObject({
    parts: ['1', '2', '3'],
  })
})

test('every part needs a quorum of its own', () => {
  expect(agree(camp('1,2', 0b001), camp('1,3', 0b010), camp('1,4', 0b100))).toBeNull()
  expect(agree(camp('1,2', 0b001))).toBeNull()
})

test('the agreement is that of the weakest part', () => {
  expect(agree(camp('1,2', 0b011), camp('1,3', 0b100))).toEqual({ parts: ['1', '2'], operators: 0b011 })
})

test('answers of different lengths do not combine, and answers without parts have no vote', () => {
  expect(agree(camp('1,2', 0b011), camp('1', 0b100))).toBeNull()
  expect(agree(camp('!', 0b001), camp('1', 0b010), camp('1', 0b100, 'revert'))).toBeNull()
  expect(agree(camp('1,2', 0b011), camp('1,2', 0))).toMatchObject({ parts: ['1', '2'] })
})
