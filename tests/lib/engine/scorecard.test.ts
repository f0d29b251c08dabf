import { expect, test } from 'vitest'
import { scorecardCsv, scorecardOf } from '#lib/engine/scorecard.ts'
import { createFigures } from '#lib/page/format.ts'
import { scorecardTexts } from '#lib/page/texts/scorecard.ts'
import { createGateway, parseConfig, SendFault } from '#rpc-proxy'
import { virtualClock } from '../../support/virtual-clock.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** A Friday. */
const start = Date.UTC(2026, 10, 27, 14, 30)

type Sums = Readonly<Record<string, number>>

const node = (name: string, operator = name) => ({ name, operator, url: `http://${name}.example` })
const chains = [
  { id: 1, nodes: [node('drpc'), node('stakely'), { ...node('own', 'ours'), perMonth: 1000 }] },
  { id: 137, nodes: [node('drpc-polygon', 'drpc')] },
]

/** What other processes have counted, by hours before now, chain and node. */
async function scorecardWith(
  told: readonly (readonly [hoursAgo: number, chain: number, node: string, sums: Sums])[],
  last: '24h' | '7d' | '30d' = '24h',
) {
  const clock = virtualClock()
  await clock.advance(start - clock.now())
  const send = () => Promise.reject(new SendFault('connection'))
  const gateway = createGateway(parseConfig({ chains }, {}), { clock, random: () => 0.5, send })
  for (const ago of new Set(told.map(([ago]) => ago)))
    gateway.hours.learn(
      new Date(start - ago * hourMs).toISOString().slice(0, 13),
      told.filter(([each]) => each === ago).map(([, chain, name, sums]) => ({ [chain]: { [name]: sums } })),
    )
  return scorecardOf(gateway, last)
}
const nodeOf = ({ nodes }: Awaited<ReturnType<typeof scorecardWith>>, name = 'drpc') =>
  nodes.find(({ node }) => node === name)

const adviceIn = ({ nodes, operators }: Awaited<ReturnType<typeof scorecardWith>>) =>
  [...nodes, ...operators].flatMap(({ node, operator, advice }) =>
    advice === null ? [] : [scorecardTexts.advice(node ?? operator, advice, createFigures())],
  )

test('the worst node comes first, with one sentence on what to do', async () => {
  const scorecard = await scorecardWith([
    [2, 1, 'own', { replies: 1000, votes: 1000 }],
    [2, 1, 'stakely', { replies: 1000, votes: 900, 'behind 0': 100, 'behind 2': 900 }],
    [1, 1, 'drpc', { replies: 900, votes: 900, dissents: 14, outvoted: 14 }],
    [1, 137, 'drpc-polygon', { replies: 80, 'fault timeout': 15, 'fault http': 5 }],
  ])
  expect(scorecard.nodes.map(({ node }) => node)).toEqual(['drpc-polygon', 'drpc', 'stakely', 'own'])
  expect(adviceIn(scorecard)).toEqual([
    'drpc-polygon answered 80 % of what it was asked, most often timeout; ask it later, or replace it.',
    'drpc was outvoted 14 times on Friday between 13 and 14 h; look at its disputes.',
    'stakely is 2 blocks behind at p95; give it no weight.',
    'drpc was outvoted 14 times on Friday between 13 and 14 h; look at its disputes.',
  ])
})

test('a node was not outvoted more often in an hour than in all', async () => {
  const scorecard = await scorecardWith([
    [2, 137, 'drpc-polygon', { replies: 100, votes: 100, dissents: 6, outvoted: 6 }],
    [1, 137, 'drpc-polygon', { replies: 100, votes: 100, vindicated: 2 }],
  ])
  expect(adviceIn({ ...scorecard, operators: [] })).toEqual([
    'drpc-polygon was outvoted 4 times on Friday between 12 and 13 h; look at its disputes.',
  ])
})

test('a node that is two blocks behind at p95 should have no weight, one that is one behind may', async () => {
  const behind = (at: number) => ({ replies: 1000, 'behind 0': 10, [`behind ${at}`]: 990 })
  expect(adviceIn(await scorecardWith([[1, 1, 'stakely', behind(2)]]))).toEqual([
    'stakely is 2 blocks behind at p95; give it no weight.',
  ])
  expect(adviceIn(await scorecardWith([[1, 1, 'stakely', behind(1)]]))).toEqual([])
})

test('a dissent was right, wrong, or nobody knows', async () => {
  const scorecard = await scorecardWith([
    [3, 1, 'drpc', { replies: 100, votes: 100, dissents: 10, outvoted: 5, vindicated: 2 }],
  ])
  const dissents = { right: 2, wrong: 3, unknown: 5 }
  expect(nodeOf(scorecard)).toMatchObject({ dissents, won: 0.9, availability: 1 })
})

test('an operator of several nodes is what they are together', async () => {
  const { operators } = await scorecardWith([
    [1, 1, 'drpc', { replies: 60, proofs: 2 }],
    [1, 137, 'drpc-polygon', { replies: 20, 'fault timeout': 20, proofs: 1 }],
  ])
  expect(operators).toMatchObject([
    { operator: 'drpc', node: null, chainId: null, requests: 100, availability: 0.8, proofs: 3 },
  ])
})

test('a day has hours, a week quarters of a day, a month days, each with what was in it', async () => {
  const told = [
    [1, 1, 'drpc', { replies: 10, dissents: 1 }],
    [30, 1, 'drpc', { 'fault timeout': 10 }],
    [29 * 24, 1, 'drpc', { replies: 7 }],
    [40 * 24, 1, 'drpc', { replies: 1000 }],
  ] as const
  const stepsIn = async (last: '24h' | '7d' | '30d') => {
    const scorecard = await scorecardWith(told, last)
    const { toMs, fromMs, stepMs } = scorecard
    const { steps = [], requests } = nodeOf(scorecard) ?? {}
    expect([steps.length * stepMs, toMs - fromMs >= dayMs, toMs > start]).toEqual([toMs - fromMs, true, true])
    return [requests, steps.length, steps.filter(({ availability }) => availability !== null).length]
  }
  expect(await stepsIn('24h')).toEqual([10, 24, 1])
  expect(await stepsIn('7d')).toEqual([20, 28, 2])
  expect(await stepsIn('30d')).toEqual([27, 30, 3])
})

test('p50 and p95 are estimated within their bounds, by kind of call', async () => {
  const scorecard = await scorecardWith([
    [1, 1, 'drpc', { replies: 100, 'head 0': 100, 'read 2': 50, 'read 4': 50, 'delay 0': 96, 'delay 3': 4 }],
  ])
  const { latency, headDelayMs } = nodeOf(scorecard) ?? {}
  expect(latency).toEqual({
    head: { p50: 12.5, p95: 23.8 },
    read: { p50: 100, p95: 380 },
    'caller-controlled': null,
    transaction: null,
  })
  expect(headDelayMs).toEqual({ p50: 0, p95: 0 })
})

test('the share of the plan, and when it ends', async () => {
  const scorecard = await scorecardWith([[10, 1, 'own', { replies: 500, units: 800 }]])
  expect(nodeOf(scorecard, 'own')).toMatchObject({ plan: 0.8, advice: { id: 'plan' } })
  expect(adviceIn(scorecard)).toEqual([
    expect.stringMatching(/^The plan of own is used up on 2026-11-2\d \d\d:\d\d at this pace; /),
  ])
})

test('as CSV each node is a line of as many cells as the first', async () => {
  const scorecard = await scorecardWith([
    [1, 1, 'drpc', { replies: 60, 'fault timeout': 2, 'fault http': 1, 'read 2': 60 }],
  ])
  const lines = scorecardCsv(scorecard).trimEnd().split('\r\n')
  expect(new Set(lines.map((line) => line.split(',').length)).size).toBe(1)
  expect(lines).toHaveLength(1 + 4 + 1)
  expect(lines.find((line) => line.startsWith('1,drpc,drpc,'))).toContain('timeout 2 http 1')
})
