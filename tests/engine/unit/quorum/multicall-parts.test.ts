import { expect, test } from 'vitest'
import { electorateOf, type OperatorSet } from '../../../../rpc-proxy/quorum/electorate.ts'
import { agreeByParts } from '../../../../rpc-proxy/quorum/multicall-parts.ts'
import type { ReplyGroup } from '../../../../rpc-proxy/quorum/tally.ts'
import type { GroupIndex } from '../../../../rpc-proxy/runtime/indexes.ts'

const three = electorateOf(
  ['x', 'y', 'z'].map((operator) => ({ operator, weight: 1 })),
  2,
  1,
)
const split = (raw: string) => (raw.startsWith('!') ? null : raw.split(','))
const group = (raw: string, operators: number, kind: ReplyGroup['kind'] = 'result'): ReplyGroup => ({
  index: 0 as GroupIndex,
  kind,
  text: raw,
  variants: [{ raw, value: raw, operators: operators as OperatorSet }],
  members: [],
  operators: operators as OperatorSet,
  isNull: false,
})
const agree = (...groups: readonly ReplyGroup[]) => agreeByParts(groups, three, split)

test('the agreement is that of the weakest part', () => {
  expect(agree(group('1,2', 0b011), group('1,3', 0b100))).toEqual({ parts: ['1', '2'], operators: 0b011 })
})

test('answers of different lengths do not combine, and answers without parts have no vote', () => {
  expect(agree(group('1,2', 0b011), group('1', 0b100))).toBeNull()
  expect(agree(group('!', 0b001), group('1', 0b010), group('1', 0b100, 'reverted'))).toBeNull()
  expect(agree(group('1,2', 0b011), group('1,2', 0))).toMatchObject({ parts: ['1', '2'] })
})
