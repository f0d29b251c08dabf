import { describe, expect, test } from 'vitest'
import { ReplyTally, type Vote } from '../../../../rpc-proxy/quorum/reply-tally.ts'
import type { MemberIndex, OperatorIndex } from '../../../../rpc-proxy/runtime/indexes.ts'

const answer = (raw: string): Vote => ({ kind: 'result', raw })
const asNumber = (value: unknown) =>
  typeof value === 'string' && /^0x[0-9a-f]+$/i.test(value) ? BigInt(value).toString() : null

/** A tally of quantities, and how often it has parsed one. */
function counting() {
  let reads = 0
  const tally = new ReplyTally({
    textOf(value) {
      reads++
      return asNumber(value)
    },
  })
  return {
    tally,
    reads: () => reads,
    vote: (member: number, operator: number, reply: Vote) =>
      tally.vote({ member: member as MemberIndex, operator: operator as OperatorIndex }, reply),
  }
}
const groups = ({ tally }: ReturnType<typeof counting>) =>
  tally.groups.map(({ members, operators }) => [members, operators])

describe('equal votes are one group', () => {
  test('byte for byte, parsed once', () => {
    const one = counting()
    for (const member of [0, 1, 2]) one.vote(member, member, answer('"0xa"'))
    expect(groups(one)).toEqual([[[0, 1, 2], 0b111]])
    expect(one.reads()).toBe(1)
  })

  test('and in different spellings', () => {
    const one = counting()
    for (const [member, raw] of ['"0xa"', '"0x0A"', ' "0xa"', '"0xb"'].entries())
      one.vote(member, member, answer(raw))
    expect(groups(one)).toEqual([
      [[0, 1, 2], 0b0111],
      [[3], 0b1000],
    ])
    expect(one.tally.groups[0]?.variants.map(({ raw, operators }) => [raw, operators])).toEqual([
      ['"0xa"', 0b001],
      ['"0x0A"', 0b010],
      [' "0xa"', 0b100],
    ])
  })

  test('reverts by data, refusals by class, and never with results', () => {
    const one = counting()
    const votes: readonly Vote[] = [
      { kind: 'reverted', data: '0x' },
      { kind: 'reverted', data: '0xaa' },
      { kind: 'reverted', data: '0x' },
      { kind: 'rejected', class: 'nonce-too-low' },
      { kind: 'rejected', class: 'nonce-too-low' },
      { kind: 'rejected', class: 'vm-halt' },
    ]
    for (const [member, vote] of votes.entries()) one.vote(member, member, vote)
    expect(one.tally.groups.map(({ kind, text, members }) => [kind, text, members])).toEqual([
      ['reverted', '0x', [0, 2]],
      ['reverted', '0xaa', [1]],
      ['rejected', 'nonce-too-low', [3, 4]],
      ['rejected', 'vm-halt', [5]],
    ])
  })
})

test('a malformed answer joins no group and is no vote', () => {
  const one = counting()
  for (const raw of ['', 'nope', '"0x', '"zero"', '{}', 'null', '0xa', '"0xa" x'])
    expect(one.vote(0, 0, answer(raw))).toBeNull()
  expect(one.tally.groups).toEqual([])
  expect(one.tally.voted).toBe(0)
})

describe('an operator', () => {
  test('counts once for any number of its nodes', () => {
    const one = counting()
    one.vote(0, 0, answer('"0xa"'))
    one.vote(1, 0, answer('"0xa"'))
    expect(groups(one)).toEqual([[[0, 1], 0b1]])
    expect(one.tally.split).toBe(0)
  })

  test('whose nodes contradict each other has no weight from then on', () => {
    const one = counting()
    one.vote(0, 0, answer('"0xa"'))
    one.vote(1, 1, answer('"0xa"'))
    one.vote(2, 0, { kind: 'reverted', data: '0x' })
    expect(groups(one)).toEqual([
      [[0, 1], 0b10],
      [[2], 0],
    ])
    for (const [member, raw] of ['"0xa"', '"0xc"', '"0xa"'].entries()) {
      one.vote(3 + member, 0, answer(raw))
      expect(one.tally.groups.map(({ operators }) => operators & 0b1)).not.toContain(1)
    }
    expect([one.tally.split, one.tally.voted]).toEqual([0b01, 0b11])
  })
})
