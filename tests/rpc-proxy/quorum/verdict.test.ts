import { describe, expect, test } from 'vitest'
import { type Electorate, electorateOf, isQuorum } from '../../../rpc-proxy/quorum/electorate.ts'
import { lookup } from '../../../rpc-proxy/quorum/lookup.ts'
import { highest, median } from '../../../rpc-proxy/quorum/numbers.ts'
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
    [equality, lookup, logs].includes(judge) ? doing : doing.map((each) => (each === 'null' ? 'B' : each))
  const judges = { equality, lookup, logs, median: median(false), 'upper median': median(true), highest }

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

  test('need no more than the quorum where nothing does', () => {
    expect(word(logs, situation(three, ['A', 'A', 'unasked']))).toBe('A')
    expect(logs.wantsMore(situation(three, ['A', 'A', 'unasked']))).toBe(false)
  })
})

describe('numbers', () => {
  test('wait until all have answered or stalled', () => {
    expect(word(median(false), situation(three, ['A', 'A', 'awaited']))).toBe('waits')
    expect(word(median(false), situation(three, ['A', 'A', 'unasked']))).toBe('waits')
    expect(word(median(false), situation(three, ['A', 'A', 'stalled']))).toBe('"0xa"')
    expect(word(median(false), situation(three, ['A', 'out', 'out']))).toBe('silent')
  })

  test('are the lower or the upper middle, or the highest that enough reach', () => {
    expect(word(median(false), situation(three, ['A', 'B', 'out']))).toBe('"0xa"')
    expect(word(median(true), situation(three, ['A', 'B', 'out']))).toBe('"0x1b"')
    expect(word(highest, situation(three, ['A', 'B', 'B']))).toBe('"0x1b"')
    expect(word(highest, situation(three, ['A', 'A', 'B']))).toBe('"0xa"')
  })

  test('give way to a revert that has the quorum', () => {
    const given = situation(three, ['A', 'A', 'B'])
    const camps = given.camps.map((camp) =>
      camp.text === 'A' ? { ...camp, kind: 'revert' as const, variants: [] } : camp,
    )
    expect(median(true).decide({ ...given, camps })).toMatchObject({
      kind: 'agreed',
      camp: { kind: 'revert' },
      raw: null,
    })
  })
})
