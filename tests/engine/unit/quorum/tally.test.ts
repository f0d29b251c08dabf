import { expect, test } from 'vitest'
import { ReplyTally, type Vote } from '../../../../rpc-proxy/quorum/tally.ts'
import type { MemberIndex, OperatorIndex } from '../../../../rpc-proxy/runtime/indexes.ts'

const answer = (raw: string): Vote => ({ kind: 'result', raw })

/** A tally of quantities. */
function tallied() {
  const tally = new ReplyTally({
    textOf: (value) =>
      typeof value === 'string' && /^0x[0-9a-f]+$/i.test(value) ? BigInt(value).toString() : null,
  })
  const vote = (member: number, reply: Vote) =>
    tally.vote({ member: member as MemberIndex, operator: member as OperatorIndex }, reply)
  return { tally, vote }
}

test('equal votes are one group in different spellings', () => {
  const { tally, vote } = tallied()
  for (const [member, raw] of ['"0xa"', '"0x0A"', ' "0xa"', '"0xb"'].entries()) vote(member, answer(raw))
  expect(tally.groups.map(({ members, operators }) => [members, operators])).toEqual([
    [[0, 1, 2], 0b0111],
    [[3], 0b1000],
  ])
  expect(tally.groups[0]?.variants.map(({ raw, operators }) => [raw, operators])).toEqual([
    ['"0xa"', 0b001],
    ['"0x0A"', 0b010],
    [' "0xa"', 0b100],
  ])
})

test('a malformed answer joins no group and is no vote', () => {
  const { tally, vote } = tallied()
  for (const raw of ['', 'nope', '"0x', '"zero"', '{}', 'null', '0xa', '"0xa" x'])
    expect(vote(0, answer(raw))).toBeNull()
  expect(tally.groups).toEqual([])
  expect(tally.voted).toBe(0)
})
