import { describe, expect, test } from 'vitest'
import {
  type Electorate,
  electorateOf,
  isQuorum,
  noOperators,
  type OperatorSet,
} from '../../../../rpc-proxy/quorum/electorate.ts'
import { lookup } from '../../../../rpc-proxy/quorum/lookup.ts'
import {
  estimate,
  highest,
  succeeds,
  unconfirmedEstimate,
} from '../../../../rpc-proxy/quorum/number-strategies.ts'
import type { ReplyGroup } from '../../../../rpc-proxy/quorum/tally.ts'
import { equality, logs, type Situation, type Strategy } from '../../../../rpc-proxy/quorum/verdict.ts'
import type { GroupIndex, MemberIndex } from '../../../../rpc-proxy/runtime/indexes.ts'

/** The answer of one operator, or the state of its request. */
const voterStates = [
  ...(['A', 'B', 'null'] as const),
  ...(['awaited', 'stalled', 'stalled forever', 'unasked', 'unusable', 'out'] as const),
]
type VoterState = (typeof voterStates)[number]
const values: Readonly<Record<string, unknown>> = { A: '0xa', B: '0x1b', null: null }

function situation(
  electorate: Electorate,
  states: readonly VoterState[],
  rest: Partial<Situation> = {},
): Situation {
  const bits = (...wanted: readonly VoterState[]) =>
    states.reduce((set, each, index) => (wanted.includes(each) ? set | (1 << index) : set), 0) as OperatorSet
  const groups: ReplyGroup[] = (['A', 'B', 'null'] as const)
    .filter((word) => states.includes(word))
    .map((word, index) => ({
      index: index as GroupIndex,
      kind: 'result',
      text: word,
      variants: [{ raw: JSON.stringify(values[word]), value: values[word], operators: bits(word) }],
      members: states.flatMap((each, member) => (each === word ? [member as MemberIndex] : [])),
      operators: bits(word),
      isNull: word === 'null',
    }))
  return {
    electorate,
    groups,
    voted: bits('A', 'B', 'null'),
    behind: noOperators,
    awaited: bits('awaited'),
    stalled: bits('stalled', 'stalled forever'),
    remaining: bits('unasked', 'unusable'),
    remainingUsable: bits('unasked'),
    stalledAreOpen: !states.includes('stalled'),
    late: false,
    isSuspicious: () => false,
    ...rest,
  }
}

/** Operators of these weights. */
const weighing = (weights: readonly number[], needed: number, operatorsMin = 1) =>
  electorateOf(
    weights.map((weight, index) => ({ operator: `o${index}`, weight })),
    needed,
    operatorsMin,
  )
const electorates = [
  [1, 1, 1],
  [3, 1, 2],
].flatMap((weights) => [...[1, 1.5, 3].map((needed) => weighing(weights, needed)), weighing(weights, 2, 2)])
const all: readonly (readonly [Electorate, readonly VoterState[]])[] = electorates.flatMap((electorate) =>
  voterStates.flatMap((a) =>
    voterStates.flatMap((b) => voterStates.map((c) => [electorate, [a, b, c]] as const)),
  ),
)

const open = (each: VoterState) => !['A', 'B', 'null', 'out'].includes(each)
const word = (strategy: Strategy, given: Situation) => {
  const verdict = strategy.decide(given)
  return verdict === null
    ? 'waits'
    : verdict.kind === 'failed'
      ? verdict.reason
      : (verdict.raw ?? verdict.group.text)
}

/** The first few situations for which `holds` is false. */
const against = (holds: (electorate: Electorate, states: readonly VoterState[]) => boolean) =>
  all
    .filter(([electorate, states]) => !holds(electorate, states))
    .slice(0, 3)
    .map(([{ weights, needed, operatorsMin }, states]) => ({ weights, needed, operatorsMin, states }))

describe('every verdict function, in every situation', () => {
  /** Null is not a number. */
  const asked = (strategy: Strategy, states: readonly VoterState[]) =>
    [equality, lookup, logs, succeeds].includes(strategy)
      ? states
      : states.map((each) => (each === 'null' ? 'B' : each))
  const strategies = { equality, lookup, logs, estimate, unconfirmedEstimate, succeeds, highest }

  describe.each(Object.entries(strategies))('%s', (_, strategy) => {
    const given = (electorate: Electorate, states: readonly VoterState[], rest = {}) =>
      situation(electorate, asked(strategy, states), rest)

    test.each([false, true])('accepts nothing without a quorum, after the deadline: %s', (late) => {
      const wrong = against((electorate, states) => {
        const verdict = strategy.decide(given(electorate, states, { late }))
        return verdict?.kind !== 'agreed' || isQuorum(electorate, verdict.operators)
      })
      expect(wrong).toEqual([])
    })

    test('does not wait after the deadline', () => {
      const wrong = against((...world) => word(strategy, given(...world, { late: true })) !== 'waits')
      expect(wrong).toEqual([])
    })

    test('always makes progress: it decides, asks, or a request is in flight', () => {
      const isAny = (states: readonly VoterState[], ...of: readonly VoterState[]) =>
        states.some((each) => of.includes(each))
      const wrong = against((electorate, states) =>
        strategy.needsMore(given(electorate, states))
          ? isAny(states, 'unasked', 'unusable')
          : strategy.decide(given(electorate, states)) !== null ||
            isAny(states, 'awaited', 'stalled', 'stalled forever'),
      )
      expect(wrong).toEqual([])
    })

    test('fails at once when no remaining node could change the outcome', () => {
      const wrong = against(
        (electorate, states) => states.some(open) || strategy.decide(given(electorate, states)) !== null,
      )
      expect(wrong).toEqual([])
    })
  })
})

const three = weighing([1, 1, 1], 2)

describe('doubtful logs', () => {
  const doubted = { isSuspicious: (value: unknown) => value === '0xa' }
  test.each<[readonly VoterState[], string]>([
    [['A', 'A', 'unasked'], 'waits'],
    [['A', 'A', 'awaited'], 'waits'],
    [['A', 'A', 'A'], 'A'],
    [['A', 'A', 'B'], 'disagree'],
    [['A', 'A', 'out'], 'A'],
    [['A', 'B', 'B'], 'B'],
  ])('%j', (states, expected) => {
    expect(word(logs, situation(three, states, doubted))).toBe(expected)
  })

  test('need one more vote, unless the requests in flight could provide it', () => {
    const wants = (electorate: Electorate, states: readonly VoterState[], rest = doubted) =>
      logs.needsMore(situation(electorate, states, rest))
    expect(wants(three, ['A', 'awaited', 'unasked'])).toBe(true)
    expect(wants(three, ['B', 'awaited', 'unasked'])).toBe(false)
    const four = weighing([1, 1, 1, 1], 2)
    expect(wants(four, ['A', 'awaited', 'awaited', 'unasked'])).toBe(false)
    expect(wants(four, ['B', 'A', 'awaited', 'unasked'])).toBe(false)
  })

  test('need only the quorum without doubt', () => {
    expect(word(logs, situation(three, ['A', 'A', 'unasked']))).toBe('A')
    expect(logs.needsMore(situation(three, ['A', 'A', 'unasked']))).toBe(false)
  })
})

describe('numbers', () => {
  test.each<[readonly VoterState[], string]>([
    [['A', 'A', 'awaited'], 'waits'],
    [['A', 'A', 'unasked'], 'waits'],
    [['A', 'A', 'stalled'], '"0xa"'],
    [['A', 'B', 'B'], '"0x1b"'],
    [['A', 'A', 'B'], '"0xa"'],
    [['A', 'out', 'out'], 'silent'],
  ])('the highest that a quorum reaches, once all have answered or stalled: %j', (states, expected) => {
    expect(word(highest, situation(three, states))).toBe(expected)
  })

  test.each<[readonly VoterState[], string, string]>([
    [['A', 'A', 'awaited'], '"0xa"', '"0xa"'],
    [['A', 'A', 'unasked'], '"0xa"', '"0xa"'],
    [['A', 'B', 'awaited'], 'waits', 'waits'],
    [['A', 'B', 'unasked'], 'waits', 'waits'],
    [['A', 'B', 'A'], '"0xa"', '"0xa"'],
    [['A', 'B', 'B'], '"0x1b"', '"0x1b"'],
    // The values are tried by a call, or stalled nodes are waited for if that is not possible.
    [['A', 'B', 'stalled'], 'disagree', 'waits'],
    [['A', 'B', 'stalled forever'], 'disagree', 'disagree'],
    [['A', 'B', 'unusable'], 'disagree', 'waits'],
    [['A', 'B', 'out'], 'disagree', 'disagree'],
    [['A', 'out', 'stalled'], 'waits', 'waits'],
    [['A', 'out', 'out'], 'silent', 'silent'],
  ])('an estimate between two quorums, as soon as there is one: %j', (states, expected, unconfirmed) => {
    expect(word(estimate, situation(three, states))).toBe(expected)
    expect(word(unconfirmedEstimate, situation(three, states))).toBe(unconfirmed)
  })

  test('the agreement of an estimate is the smaller of its two sides', () => {
    const given = situation(weighing([3, 2, 2], 3), ['A', 'B', 'B'])
    expect(estimate.decide(given)).toMatchObject({ raw: '"0x1b"', operators: 0b110 })
  })

  test('lose to a revert that has the quorum', () => {
    const given = situation(three, ['A', 'A', 'B'])
    const groups = given.groups.map((group) =>
      group.text === 'A' ? { ...group, kind: 'reverted' as const, variants: [] } : group,
    )
    for (const strategy of [estimate, unconfirmedEstimate, highest])
      expect(strategy.decide({ ...given, groups })).toMatchObject({
        kind: 'agreed',
        group: { kind: 'reverted' },
        raw: null,
      })
  })
})
