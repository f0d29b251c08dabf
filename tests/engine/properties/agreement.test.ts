import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Answered, ask } from '../../support/ask.ts'
import {
  fails,
  hangs,
  isBehind,
  late,
  limited,
  noises,
  type Reply,
  reverts,
  says,
  unauthorized,
} from '../../support/replies.ts'
import { requestsOf, type World, worldOf } from '../../support/world.ts'

const truth = '0xa'
/** An array is noise for a single call only: it is a valid reply to a batch. */
const { 'an array with the answer': _, ...noisy } = noises('0xb')

/** How a node may behave, by name. */
const behaviours: Readonly<Record<string, Reply>> = {
  'tells the truth': says(truth),
  'says 0xb': says('0xb'),
  'says 0xc': says('0xc'),
  reverts: reverts('0x'),
  hangs,
  'is behind': isBehind,
  'rate-limits': limited,
  'refuses authorization': unauthorized,
  ...noisy,
}
const votes: Readonly<Record<string, string>> = {
  'tells the truth': truth,
  'says 0xb': '0xb',
  'says 0xc': '0xc',
}

const behaviour = fc.oneof(
  { weight: 4, arbitrary: fc.constant('tells the truth') },
  { weight: 2, arbitrary: fc.constantFrom('says 0xb', 'says 0xc') },
  { weight: 2, arbitrary: fc.constantFrom(...Object.keys(behaviours)) },
)

const setup = fc
  .record({
    nodes: fc.array(
      fc.record({
        does: behaviour,
        afterMs: fc.constantFrom(0, 0, 1, 40, 749, 750, 751, 2000),
        weight: fc.integer({ min: 1, max: 3 }),
        operator: fc.constantFrom('o', 'p', 'q', 'r', 's'),
        batchCallsMax: fc.constantFrom(1, 5),
      }),
      { minLength: 1, maxLength: 6 },
    ),
    share: fc.integer({ min: 1, max: 100 }),
    operatorsMin: fc.integer({ min: 1, max: 2 }),
    chance: fc.constantFrom(0.001, 0.5),
  })
  .map(({ nodes, share, operatorsMin, chance }) => {
    const heaviest = new Map<string, number>()
    for (const { operator, weight } of nodes)
      heaviest.set(operator, Math.max(weight, heaviest.get(operator) ?? 0))
    const total = [...heaviest.values()].reduce((sum, weight) => sum + weight, 0)
    return {
      nodes,
      heaviest,
      chance,
      quorum: (total * share) / 100,
      operatorsMin: Math.min(operatorsMin, heaviest.size),
    }
  })
type Setup = typeof setup extends fc.Arbitrary<infer Value> ? Value : never

const worldFor = ({ nodes, quorum, operatorsMin, chance }: Setup) =>
  worldOf(
    nodes.map(({ does, afterMs, weight, operator, batchCallsMax }) => ({
      reply: late(afterMs, behaviours[does] as Reply),
      weight,
      operator,
      batchCallsMax,
    })),
    { quorum, operatorsMin, random: () => chance },
  )

/** Whether these operators are a quorum, computed independently of the engine. */
function isQuorum({ heaviest, quorum, operatorsMin }: Setup, operators: Iterable<string>): boolean {
  const distinct = [...new Set(operators)]
  return (
    distinct.length >= operatorsMin &&
    distinct.reduce((sum, operator) => sum + (heaviest.get(operator) ?? 0), 0) >= quorum
  )
}

/** Operators with a node that votes for a value. */
const votersOf = (given: Setup, value: string, among = given.nodes) =>
  among.filter(({ does }) => votes[does] === value).map(({ operator }) => operator)

/** Nodes whose reply arrived before the answer was given. */
const repliedBy = ({ nodes }: Setup, world: World, { ms }: Answered) =>
  requestsOf(world, 'eth_getBalance').flatMap(({ node, atMs }) => {
    const script = nodes[node.charCodeAt(0) - 97]
    return script !== undefined && atMs - world.start.ms + script.afterMs <= ms ? [script] : []
  })

const each = (judge: (given: Setup, world: World, answer: Answered) => void) =>
  fc.assert(
    fc.asyncProperty(setup, async (given) => {
      const world = worldFor(given)
      judge(given, world, await ask(world, 'eth_getBalance'))
    }),
    { numRuns: 50 },
  )

test('every answer has the votes of a quorum that replied before it', async () => {
  await each((given, world, answer) => {
    if (answer.result === undefined) return
    const voters = votersOf(given, String(answer.result), repliedBy(given, world, answer))
    expect(isQuorum(given, voters), String(answer.result)).toBe(true)
  })
})

test('with fewer liars than a quorum no lie is answered, and the truth is answered when a quorum is honest', async () => {
  await each((given, _, answer) => {
    const lies = ['0xb', '0xc'].filter((lie) => isQuorum(given, votersOf(given, lie)))
    if (lies.length > 0) return
    expect([truth, undefined]).toContain(answer.result)
    // An operator whose nodes contradict each other does not count.
    const honest = votersOf(given, truth).filter((operator) =>
      given.nodes.every((node) => node.operator !== operator || votes[node.does] === truth),
    )
    if (isQuorum(given, honest)) expect(answer.result).toBe(truth)
  })
})

test('every call ends by the deadline, with an answer or a failure with a reason', async () => {
  await each((_, world, answer) => {
    expect(answer.ms).toBeLessThanOrEqual(8000)
    if (answer.result === undefined) expect([-32010, -32001]).toContain(answer.error?.code)
    expect(
      world.gateway.certificate(answer.headers['x-quorate-answer'] ?? '')?.requests.length,
    ).toBeGreaterThan(0)
  })
})

test('no node is asked twice, except for a block that it does not have yet', async () => {
  await each((given, world) => {
    const requests = requestsOf(world, 'eth_getBalance')
    for (const [index, { does }] of given.nodes.entries()) {
      const blocks = requests
        .filter(({ node }) => node === String.fromCharCode(97 + index))
        .map(({ params }) => params[1])
      const most = does === 'is behind' ? 2 : 1
      for (const block of new Set(blocks))
        expect(blocks.filter((other) => other === block).length).toBeLessThanOrEqual(most)
    }
  })
})

test('the same world and call give identical output', async () => {
  await fc.assert(
    fc.asyncProperty(setup, async (given) => {
      const traces: string[] = []
      for (let run = 0; run < 2; run++) {
        const world = worldFor(given)
        const { text, ms, headers } = await ask(world, 'eth_getBalance')
        const requests = world.requests.map(({ node, method, atMs }) => `${node} ${method} ${atMs}`)
        traces.push(JSON.stringify([text, ms, headers, requests]))
      }
      expect(traces[0]).toBe(traces[1])
    }),
    { numRuns: 20 },
  )
})

test('an estimate stays between honest values while liars are fewer than half of the voters', async () => {
  const estimates = fc.record({
    honest: fc.array(fc.integer({ min: 21_000, max: 25_000 }), { minLength: 2, maxLength: 4 }),
    lies: fc.array(fc.constantFrom(0, 1, 30_000_000, 2 ** 40), { maxLength: 3 }),
  })
  await fc.assert(
    fc.asyncProperty(estimates, async ({ honest, lies }) => {
      fc.pre(lies.length < honest.length)
      const replies = [...lies, ...honest].map((gas) => says(`0x${gas.toString(16)}`))
      const gas = Number((await ask(worldOf(replies), 'eth_estimateGas')).result)
      expect(gas).toBeGreaterThanOrEqual(Math.min(...honest))
      expect(gas).toBeLessThanOrEqual(Math.max(...honest))
    }),
    { numRuns: 40 },
  )
})

test('a revert counts like a result', async () => {
  const kinds = fc.array(fc.constantFrom('reverted', 'result', 'other revert', 'fault'), {
    minLength: 1,
    maxLength: 5,
  })
  const replies: Readonly<Record<string, Reply>> = {
    reverted: reverts('0xaa'),
    'other revert': reverts('0xbb'),
    result: says('0x0a'),
    fault: fails(-32603, 'server error'),
  }
  await fc.assert(
    fc.asyncProperty(kinds, fc.integer({ min: 1, max: 5 }), async (given, wanted) => {
      const quorum = Math.min(wanted, given.length)
      const { result, error } = await ask(
        worldOf(
          given.map((kind) => replies[kind] as Reply),
          { quorum },
        ),
        'eth_call',
      )
      const enough = (kind: string) => given.filter((other) => other === kind).length >= quorum
      if (result !== undefined) expect(enough('result')).toBe(true)
      if (error?.code === 3) expect(enough(error.data === '0xaa' ? 'reverted' : 'other revert')).toBe(true)
      if (!['reverted', 'result', 'other revert'].some(enough)) expect(error?.code).toBe(-32010)
    }),
    { numRuns: 40 },
  )
})
