import { expect, test } from 'vitest'
import { sentence } from '#lib/page/sentence.ts'
import { statusTexts } from '#lib/page/texts/status.ts'
import { inSyncBlocksMax, markOf, syncOf } from '#lib/status/sync.ts'

const latency = (p50Ms: number) => ({ p50Ms, p95Ms: 2 * p50Ms, p99Ms: 3 * p50Ms })
const node = {
  name: 'a1',
  operator: 'a',
  role: 'voter',
  state: 'usable',
  votes: 200,
  dissents: 0,
  lag: 0,
  latency: latency(40),
} as const

test.each([
  ['a node that votes with the others', {}, 'usable'],
  ['one that is overruled in one of a hundred votes', { dissents: 2 }, 'dissenting'],
  ['one that is overruled always', { votes: 7, dissents: 7 }, 'dissenting'],
  ['one that was overruled once', { votes: 1, dissents: 1 }, 'usable'],
  ['one that is overruled less often', { votes: 201, dissents: 2 }, 'usable'],
  ['one that may not vote, whatever it said', { state: 'open', dissents: 9 }, 'open'],
  ['a witness', { role: 'witness' }, 'standby'],
  ['a witness that is overruled', { role: 'witness', dissents: 2 }, 'dissenting'],
  ['a witness that fails', { role: 'witness', state: 'open' }, 'open'],
] as const)('%s has its mark', (_, change, mark) => {
  expect(markOf({ ...node, ...change })).toBe(mark)
})

test('operators are counted, not nodes, and the median is over the nodes in sync', () => {
  const nodes = [
    node,
    { ...node, latency: latency(90) },
    { ...node, operator: 'b', latency: latency(60) },
    { ...node, operator: 'c', state: 'open', latency: latency(7000) } as const,
  ]
  expect(syncOf(nodes)).toEqual({ operators: 3, inSync: 2, p50Ms: 60, disagreeing: [], behind: [] })
})

test.each([
  ['is behind by the maximum', { lag: inSyncBlocksMax }, 1],
  ['is one block further behind', { lag: inSyncBlocksMax + 1 }, 0],
  ['has shown no head yet', { lag: null }, 0],
  ['is often overruled', { dissents: 7 }, 0],
  ['may not vote', { state: 'cordoned' }, 0],
] as const)('an operator whose node %s', (_, change, inSync) => {
  expect(syncOf([{ ...node, ...change }])).toMatchObject({ operators: 1, inSync })
})

test('without answers there is no figure', () => {
  expect(syncOf([{ ...node, latency: null }]).p50Ms).toBeNull()
  expect(syncOf([])).toMatchObject({ operators: 0, inSync: 0, p50Ms: null })
})

test('nodes that disagree or are behind are named, witnesses that disagree too', () => {
  const nodes = [
    node,
    { ...node, name: 'liar', dissents: 7 },
    { ...node, name: 'late', lag: 17 },
    { ...node, name: 'gone', lag: null },
    { ...node, name: 'off', state: 'cordoned' } as const,
    { ...node, name: 'w', role: 'witness', dissents: 7 } as const,
  ]
  expect(syncOf(nodes)).toMatchObject({ disagreeing: ['liar', 'w'], behind: ['late'] })
})

test('a witness that was never asked is no operator out of sync, and nobody waits for its head', () => {
  const idle = { ...node, name: 'w', operator: 'w', role: 'witness', lag: null, latency: null } as const
  expect(syncOf([node, idle])).toEqual({ operators: 1, inSync: 1, p50Ms: 40, disagreeing: [], behind: [] })
  expect(syncOf([node, { ...idle, lag: 17 }])).toMatchObject({ operators: 1, behind: [] })
})

test('three names are shown, and the number of others', () => {
  expect(statusTexts.disagree(['liar'])).toBe(sentence`${'liar'} disagrees.`)
  expect(statusTexts.disagree(['late', 'liar'])).toBe(sentence`${'late and liar'} disagree.`)
  expect(statusTexts.areBehind(['a', 'b', 'c'])).toBe(sentence`${'a, b, and c'} are behind.`)
  expect(statusTexts.areBehind([...'abcde'])).toBe(sentence`${'a, b, c, and 2 more'} are behind.`)
})

test('a reason includes its duration, if known', () => {
  expect(statusTexts.reason('limits our rate', 11_001)).toBe('limits our rate, 12 s more')
  expect(statusTexts.reason('limits our rate', -5)).toBe('limits our rate, 1 s more')
  expect(statusTexts.reason('cordoned', null)).toBe('cordoned')
})
