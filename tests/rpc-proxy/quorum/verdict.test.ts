import { describe, expect, test } from 'vitest'
import { type Electorate, electorateOf, isQuorum } from '../../../rpc-proxy/quorum/electorate.ts'
import { lookup } from '../../../rpc-proxy/quorum/lookup.ts'
import { ending, estimate, highest, unconfirmedEstimate } from '../../../rpc-proxy/quorum/numbers.ts'
import type { Situation } from '../../../rpc-proxy/quorum/situation.ts'
import type { Camp } from '../../../rpc-proxy/quorum/tally.ts'
import { equality, type Judge, logs } from '../../../rpc-proxy/quorum/verdict.ts'

/** What one operator is doing: its answer, or where its ask stands. */
type Doing = 'A' | 'B' | 'null' | 'awaited' | 'stalled' | 'stalled for good' | 'unasked' | 'unusable' | 'out'
const doings: readonly Doing[] = [
  'A',
  'B',
  'null',
  'awaited',
  'stalled',
  'stalled for good',
  'unasked',
  'unusable',
  'out',
]
const values: Readonly<Record<string, unknown>> = { A: '0xa', B: '0x1b', null: null }

function situation(
  electorate: Electorate,
  doing: readonly Doing[],
  rest: Partial<Situation> = {},
): Situation {
  const bits = (...wanted: readonly Doing[]) =>
    doing.reduce((set, each, index) => (wanted.includes(each) ? set | (1 << index) : set), 0)
  const camps: Camp[] = (['A', 'B', 'null'] as const)
    .filter((word) => doing.includes(word))
    .map((word, place) => ({
      place,
      kind: 'answer',
      text: word,
      variants: [{ raw: JSON.stringify(values[word]), value: values[word], operators: bits(word) }],
      voters: doing.flatMap((each, index) => (each === word ? [index] : [])),
      operators: bits(word),
      isNull: word === 'null',
    }))
  return {
    electorate,
    camps,
    voted: bits('A', 'B', 'null'),
    behind: 0,
    awaited: bits('awaited'),
    stalled: bits('stalled', 'stalled for good'),
    unasked: bits('unasked', 'unusable'),
    unaskedUsable: bits('unasked'),
    stalledForGood: !doing.includes('stalled'),
    late: false,
    isSuspicious: () => false,
    ...rest,
  }
}

const electorates = [
  [1, 1, 1],
  [3, 1, 2],
].flatMap((weights) =>
  [
    [1, 1],
    [1.5, 1],
    [3, 1],
    [2, 2],
  ].map(([needed = 1, operatorsMin = 1]) =>
    electorateOf(
      weights.map((weight, index) => ({ operator: `o${index}`, weight })),
      needed,
      operatorsMin,
    ),
  ),
)
const all: readonly (readonly [Electorate, readonly Doing[]])[] = electorates.flatMap((electorate) =>
  doings.flatMap((a) => doings.flatMap((b) => doings.map((c) => [electorate, [a, b, c]] as const))),
)

/** Weight and operators counted in another way than the code does. */
function count(
  { weights, needed, operatorsMin }: Electorate,
  doing: readonly Doing[],
  wanted: (each: Doing) => boolean,
) {
  const who = weights.filter((_, index) => wanted(doing[index] as Doing))
  return who.reduce((sum, weight) => sum + weight, 0) >= needed && who.length >= operatorsMin
}
const open = (each: Doing) => !['A', 'B', 'null', 'out'].includes(each)
const word = (judge: Judge, given: Situation) => {
  const verdict = judge.decide(given)
  return verdict === null
    ? 'waits'
    : verdict.kind === 'failed'
      ? verdict.reason
      : (verdict.raw ?? verdict.camp.text)
}

/** Those situations of all of which `holds` is not true; few enough to be read. */
const against = (holds: (electorate: Electorate, doing: readonly Doing[]) => boolean) =>
  all
    .filter(([electorate, doing]) => !holds(electorate, doing))
    .slice(0, 3)
    .map(([{ weights, needed, operatorsMin }, doing]) => ({ weights, needed, operatorsMin, doing }))

describe('equality, in every situation of three operators', () => {
  test('agrees when a camp has the quorum, fails when none can get it, and waits else', () => {
    const expected = (electorate: Electorate, doing: readonly Doing[]) => {
      const winner = ['A', 'B', 'null'].find((camp) => count(electorate, doing, (each) => each === camp))
      if (winner !== undefined) return winner
      const canWin = ['A', 'B', 'null', ''].some((camp) =>
        count(electorate, doing, (each) => each === camp || open(each)),
      )
      const isVain =
        doing.includes('stalled for good') && doing.filter(open).every((each) => each === 'stalled for good')
      if (canWin && !isVain) return 'waits'
      return count(electorate, doing, (each) => ['A', 'B', 'null'].includes(each)) ? 'disagree' : 'silent'
    }
    expect(against((...given) => word(equality, situation(...given)) === expected(...given))).toEqual([])
  })

  test('wants another node when the best camp and all in flight that has not stalled would not do', () => {
    const wants = (electorate: Electorate, doing: readonly Doing[]) =>
      doing.some((each) => each === 'unasked' || each === 'unusable') &&
      !['A', 'B', 'null', ''].some((camp) =>
        count(electorate, doing, (each) => each === camp || each === 'awaited'),
      )
    expect(against((...given) => equality.wantsMore(situation(...given)) === wants(...given))).toEqual([])
  })
})

describe('every judge, in every situation', () => {
  /** Of numbers null is none. */
  const asked = (judge: Judge, doing: readonly Doing[]) =>
    [equality, lookup, logs, ending].includes(judge)
      ? doing
      : doing.map((each) => (each === 'null' ? 'B' : each))
  const judges = { equality, lookup, logs, estimate, unconfirmedEstimate, ending, highest }

  test.each(Object.entries(judges))('%s lets nothing win that has not the quorum', (_, judge) => {
    for (const late of [false, true])
      expect(
        against((electorate, doing) => {
          const verdict = judge.decide(situation(electorate, asked(judge, doing), { late }))
          return verdict?.kind !== 'agreed' || isQuorum(electorate, verdict.operators)
        }),
      ).toEqual([])
  })

  test.each(Object.entries(judges))('%s waits for nobody after the deadline', (_, judge) => {
    expect(
      against((electorate, doing) => {
        return word(judge, situation(electorate, asked(judge, doing), { late: true })) !== 'waits'
      }),
    ).toEqual([])
  })

  test.each(Object.entries(judges))(
    '%s never sits still: it decides, asks, or somebody is still out',
    (_, judge) => {
      const isOut = (each: Doing) => each === 'awaited' || each.startsWith('stalled')
      expect(
        against((electorate, doing) => {
          const given = situation(electorate, asked(judge, doing))
          if (judge.wantsMore(given)) return doing.some((each) => each === 'unasked' || each === 'unusable')
          return judge.decide(given) !== null || doing.some(isOut)
        }),
      ).toEqual([])
    },
  )

  test.each(Object.entries(judges))('%s fails at once when nobody is left who could turn it', (_, judge) => {
    expect(
      against((electorate, doing) => {
        const given = situation(electorate, asked(judge, doing))
        return doing.some(open) || judge.decide(given) !== null
      }),
    ).toEqual([])
  })
})

const three = electorateOf(
  ['x', 'y', 'z'].map((operator) => ({ operator, weight: 1 })),
  2,
  1,
)

describe('a look-up', () => {
  test.each<[readonly Doing[], string]>([
    [['A', 'A', 'awaited'], 'A'],
    [['A', 'null', 'A'], 'A'],
    [['null', 'null', 'awaited'], 'waits'],
    [['null', 'null', 'unasked'], 'waits'],
    [['null', 'null', 'unusable'], 'null'],
    [['null', 'null', 'stalled'], 'null'],
    [['null', 'null', 'out'], 'null'],
    [['A', 'null', 'null'], 'null'],
    [['A', 'null', 'out'], 'disagree'],
    [['null', 'out', 'out'], 'silent'],
  ])('%j', (doing, expected) => {
    expect(word(lookup, situation(three, doing))).toBe(expected)
  })

  test('asks everybody who is usable, once somebody lacks it', () => {
    expect(lookup.wantsMore(situation(three, ['null', 'null', 'unasked']))).toBe(true)
    expect(lookup.wantsMore(situation(three, ['null', 'awaited', 'unasked']))).toBe(true)
    expect(lookup.wantsMore(situation(three, ['A', 'A', 'unasked']))).toBe(false)
  })

  test('lets no node alone win against one that lacks it, were its weight a quorum', () => {
    const heavy = electorateOf(
      [
        { operator: 'x', weight: 5 },
        { operator: 'y', weight: 1 },
      ],
      3,
      1,
    )
    expect(word(lookup, situation(heavy, ['A', 'null']))).toBe('disagree')
    expect(word(lookup, situation(heavy, ['A', 'unasked']))).toBe('A')
  })
})

describe('logs that something speaks against', () => {
  const doubted = { isSuspicious: (value: unknown) => value === '0xa' }
  test.each<[readonly Doing[], string]>([
    [['A', 'A', 'unasked'], 'waits'],
    [['A', 'A', 'awaited'], 'waits'],
    [['A', 'A', 'A'], 'A'],
    [['A', 'A', 'B'], 'disagree'],
    [['A', 'A', 'out'], 'A'],
    [['A', 'B', 'B'], 'B'],
  ])('%j', (doing, expected) => {
    expect(word(logs, situation(three, doing, doubted))).toBe(expected)
  })

  test('want a vote more from the first of them on, unless those who are being asked would do', () => {
    const wants = (electorate: Electorate, doing: readonly Doing[], rest = doubted) =>
      logs.wantsMore(situation(electorate, doing, rest))
    expect(wants(three, ['A', 'awaited', 'unasked'])).toBe(true)
    expect(wants(three, ['B', 'awaited', 'unasked'])).toBe(false)
    const four = electorateOf(
      ['a', 'b', 'c', 'd'].map((operator) => ({ operator, weight: 1 })),
      2,
      1,
    )
    expect(wants(four, ['A', 'awaited', 'awaited', 'unasked'])).toBe(false)
    expect(wants(four, ['B', 'A', 'awaited', 'unasked'])).toBe(false)
  })

  test('need no more than the quorum where nothing does', () => {
    expect(word(logs, situation(three, ['A', 'A', 'unasked']))).toBe('A')
    expect(logs.wantsMore(situation(three, ['A', 'A', 'unasked']))).toBe(false)
  })
})

describe('numbers', () => {
  test.each<[readonly Doing[], string]>([
    [['A', 'A', 'awaited'], 'waits'],
    [['A', 'A', 'unasked'], 'waits'],
    [['A', 'A', 'stalled'], '"0xa"'],
    [['A', 'B', 'B'], '"0x1b"'],
    [['A', 'A', 'B'], '"0xa"'],
    [['A', 'out', 'out'], 'silent'],
  ])('the highest that a quorum reaches, once all have answered or stalled: %j', (doing, expected) => {
    expect(word(highest, situation(three, doing))).toBe(expected)
  })

  test.each<[readonly Doing[], string, string]>([
    [['A', 'A', 'awaited'], '"0xa"', '"0xa"'],
    [['A', 'A', 'unasked'], '"0xa"', '"0xa"'],
    [['A', 'B', 'awaited'], 'waits', 'waits'],
    [['A', 'B', 'unasked'], 'waits', 'waits'],
    [['A', 'B', 'A'], '"0xa"', '"0xa"'],
    [['A', 'B', 'B'], '"0x1b"', '"0x1b"'],
    // The values are tried, or whoever stalls is waited for where that is not possible.
    [['A', 'B', 'stalled'], 'disagree', 'waits'],
    [['A', 'B', 'stalled for good'], 'disagree', 'disagree'],
    [['A', 'B', 'unusable'], 'disagree', 'waits'],
    [['A', 'B', 'out'], 'disagree', 'disagree'],
    [['A', 'out', 'stalled'], 'waits', 'waits'],
    [['A', 'out', 'out'], 'silent', 'silent'],
  ])('an estimate between two quorums, as soon as there is one: %j', (doing, expected, unconfirmed) => {
    expect(word(estimate, situation(three, doing))).toBe(expected)
    expect(word(unconfirmedEstimate, situation(three, doing))).toBe(unconfirmed)
  })

  test('an estimate claims no more weight than the lighter side has', () => {
    const heavy = electorateOf(
      [3, 2, 2].map((weight, index) => ({ operator: `o${index}`, weight })),
      3,
      1,
    )
    expect(estimate.decide(situation(heavy, ['A', 'B', 'B']))).toMatchObject({
      raw: '"0x1b"',
      operators: 0b110,
    })
  })

  test('give way to a revert that has the quorum', () => {
    const given = situation(three, ['A', 'A', 'B'])
    const camps = given.camps.map((camp) =>
      camp.text === 'A' ? { ...camp, kind: 'revert' as const, variants: [] } : camp,
    )
    for (const judge of [estimate, unconfirmedEstimate, highest])
      expect(judge.decide({ ...given, camps })).toMatchObject({
        kind: 'agreed',
        camp: { kind: 'revert' },
        raw: null,
      })
  })
})
