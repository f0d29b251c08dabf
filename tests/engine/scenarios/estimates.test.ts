import { describe, expect, test } from 'vitest'
import { rpc } from '../../support/gateway-calls.ts'
import {
  answersHttp,
  fails,
  hangs,
  isBehind,
  late,
  limited,
  type Reply,
  reverts,
  says,
} from '../../support/replies.ts'
import { blockAt, hashOf, hex } from '../../support/scripted-chain.ts'
import {
  requestsOf,
  type Script,
  sends,
  three,
  type World,
  type WorldOptions,
  worldOf,
} from '../../support/world.ts'
import { certificateOf, headersOf, noQuorum } from '../support/outcomes.ts'

/** Gas that the call needs. */
const need = 50_000
const target = { to: `0x${'ac'.repeat(20)}`, data: '0x01' }
const gasOf = ({ params }: Parameters<Reply>[0]) => Number((params[0] as { gas: string }).gas)

/** Fails with less gas than needed. */
const honestCall: Reply = (received) =>
  gasOf(received) < need ? fails(-32000, 'out of gas')(received) : says('0x2a')(received)

/** Node implementations estimate slightly different amounts above the need. */
const honest = (above: number, script: Script = {}): Script => ({
  on: { eth_estimateGas: says(hex(need + above)), eth_call: honestCall },
  ...script,
})

/** Reports this estimate, and answers the call the same way with any gas. */
const liar = (gas: number | bigint, call: Reply = says('0x2a'), script: Script = {}): Script => ({
  on: { eth_estimateGas: says(`0x${gas.toString(16)}`), eth_call: call },
  ...script,
})

/** Two nodes of one operator that report this. */
const ofX = (gas: number) => [1, 2].map(() => liar(gas, says('0x2a'), { operator: 'x' }))

const exceeds = (gas: number) => ({
  error: { code: -32000, message: `gas required exceeds allowance (${gas})` },
})

const reportsNothing: Readonly<Record<string, Reply>> = {
  silent: hangs,
  'slow beyond the stall': late(5000, says('0xea60')),
  erring: fails(-32603, 'Internal error'),
  'rate-limited': limited,
  down: answersHttp(503),
  behind: isBehind,
}

/** A third node that gives neither an estimate nor a result of the call. */
const absent = (reply: Reply): Script => ({ on: { eth_estimateGas: reply, eth_call: reply } })

/** What one node may report. */
const lies: readonly (readonly [string, number | bigint])[] = [
  ['high', 3_000_000],
  ['the largest uint256', 2n ** 256n - 1n],
  ['low', 30_000],
  ['zero', 0],
  ['one below the minimum cost of a transaction', 20_999],
  ['just below the need', need - 1],
  ['just above', need + 1],
]

async function estimateOf(
  scripts: readonly Script[],
  options: WorldOptions = {},
  params: readonly unknown[] = [target],
) {
  const world = worldOf(scripts, { quorum: 2, ...options })
  await rpc(world, 'eth_blockNumber')
  return { world, answer: await rpc(world, 'eth_estimateGas', params) }
}

const failure = noQuorum()
const gasTried = (world: World) => [...new Set(requestsOf(world, 'eth_call').map(gasOf))]

describe('an estimate is a value between two quorums', () => {
  test('and is answered as soon as there is one', async () => {
    const { world, answer } = await estimateOf([honest(0), honest(0), { reply: hangs }])
    expect(answer).toMatchObject({ result: hex(need), ms: 0 })
    expect(sends(world)).toBe('a@0 b@0 c@0')
  })

  test.each(lies)('one liar of three cannot move it beyond the honest values: %s', async (_, lie) => {
    const { answer } = await estimateOf([liar(lie), honest(0), honest(400)])
    expect(Number(answer.result)).toBeGreaterThanOrEqual(need)
    expect(Number(answer.result)).toBeLessThanOrEqual(need + 400)
  })

  const beside = (lie: number, last: Script) => [liar(lie), liar(lie), honest(0), honest(200), last]
  const heavy = liar(30_000, says('0x2a'), { weight: 5 })
  test.each<[string, readonly Script[], number, WorldOptions?]>([
    ['two nodes of one operator count once', [...ofX(3_000_000), honest(0), honest(400)], need + 400],
    ['two of five are no quorum for more', beside(1_000_000, honest(400)), need + 400, { quorum: 3 }],
    ['nor for less', beside(1, honest(400)), need, { quorum: 3 }],
    ['nor, where one is silent, for too little', beside(30_000, absent(hangs)), need, { quorum: 3 }],
    ['nor for just too little', beside(need - 1, absent(hangs)), need, { quorum: 3 }],
    ['two nodes of one operator confirm nothing', [...ofX(30_000), honest(0), absent(hangs)], need],
    ['nor does a heavy one', [heavy, honest(0), absent(hangs)], need, { quorum: 5, operatorsMin: 2 }],
  ])('%s', async (_, scripts, gas, options) => {
    expect((await estimateOf(scripts, options)).answer.result).toBe(hex(gas))
  })

  test('and its agreement is the smaller of the two weights', async () => {
    const { answer } = await estimateOf([honest(0), honest(200), honest(400)])
    expect(answer.headers['x-quorate-agreement']).toBe('2/2/3')
  })
})

describe('where no value lies between two quorums, a quorum agrees that the call succeeds with one', () => {
  test.each(Object.entries(reportsNothing))(
    'two honest nodes with different estimates and a third that is %s: within a stall and two round trips',
    async (_, reply) => {
      const slow = (above: number): Script => ({
        on: { eth_estimateGas: late(40, says(hex(need + above))), eth_call: late(40, honestCall) },
      })
      const { answer, world } = await estimateOf([slow(300), slow(0), absent(reply)])
      expect(answer.result).toBe(hex(need))
      expect(answer.ms).toBeLessThanOrEqual(750 + 2 * 40)
      expect(gasTried(world)).toEqual([need])
      expect(answer.headers['x-quorate-agreement']).toBe('2/2/3')
    },
  )

  test('nodes that replied are asked first, so a silent node costs only one stall', async () => {
    const { answer, world } = await estimateOf([absent(hangs), honest(300), honest(0)])
    expect(answer).toMatchObject({ result: hex(need), ms: 750 })
    expect(sends(world, 'eth_call')).toBe('b@750 c@750')
  })

  const calls: Readonly<Record<string, Reply>> = {
    success: says('0x2a'),
    'a revert': reverts('0xdead'),
    'out of gas': fails(-32000, 'out of gas'),
    'no reply': hangs,
  }

  describe.each(Object.entries(reportsNothing))('the third is %s', (_, reply) => {
    test.each(lies.flatMap(([what, lie]) => Object.keys(calls).map((how) => [what, how, lie] as const)))(
      'a liar that reports %s and answers the call with %s gets no value out that no honest node confirms',
      async (_what, how, lie) => {
        const { answer, world } = await estimateOf([liar(lie, calls[how]), honest(200), absent(reply)])
        if (answer.error !== undefined) {
          expect(answer).toMatchObject(failure)
          return
        }
        // The call succeeds with every value that is answered: the honest node has confirmed it.
        expect(Number(answer.result)).toBeGreaterThanOrEqual(need)
        expect(Number(answer.result)).toBeLessThanOrEqual(Math.max(need + 200, Number(lie)))
        expect(Number(answer.result)).toBeLessThanOrEqual(30_000_000)
        expect(gasTried(world)).toContain(Number(answer.result))
      },
    )
  })

  test('a liar that answers the call honestly does no harm with any estimate', async () => {
    for (const [, lie] of lies) {
      const { answer } = await estimateOf([liar(lie, honestCall), honest(200), absent(hangs)])
      expect(answer.result).toBe(hex(lie === need + 1 ? need + 1 : need + 200))
    }
  })

  test('the same call, block and overrides are tried with exactly that gas', async () => {
    const overrides = { [target.to]: { balance: '0x1' } }
    const params = [{ ...target, value: '0x1' }, 'latest', overrides]
    const { world } = await estimateOf([honest(300), honest(0), absent(hangs)], {}, params)
    expect(requestsOf(world, 'eth_call').map(({ params: given }) => given)).toEqual(
      [0, 1].map(() => [{ to: target.to, gas: hex(need), value: '0x1', data: '0x01' }, hex(1000), overrides]),
    )
  })

  test('at most eight values are tried, within the deadline', async () => {
    const many = Array.from({ length: 20 }, (_, index) => liar(30_000 + index, honestCall))
    const { world, answer } = await estimateOf(many, { quorum: 20 })
    expect(answer).toMatchObject(failure)
    expect(gasTried(world)).toHaveLength(8)
    const slow = [liar(30_000, hangs), liar(40_000, hangs), absent(hangs)]
    expect((await estimateOf(slow, { deadlineMs: 1000 })).answer).toMatchObject({ ...failure, ms: 1000 })
  })

  test('a revert that a quorum agrees on wins over the estimate of one node', async () => {
    const scripts = [liar(30_000), ...[0, 1].map(() => ({ on: { eth_estimateGas: reverts('0xdead') } }))]
    expect((await estimateOf(scripts)).answer).toMatchObject({ error: { code: 3, data: '0xdead' } })
  })

  test('a confirmed estimate is cached until the head changes', async () => {
    const { world } = await estimateOf([honest(300), honest(0), absent(hangs)])
    const again = await rpc(world, 'eth_estimateGas', [target])
    expect(again).toMatchObject(headersOf({ cache: 'hit', agreement: '2/2/3' }))
    expect(sends(world)).toBe('')
  })

  test('values are tried in ascending order until one is confirmed: the certificate shows each, and by whom', async () => {
    const { world, answer } = await estimateOf([liar(30_000), honest(200), absent(hangs)])
    expect(answer.result).toBe(hex(need + 200))
    expect(gasTried(world)).toEqual([30_000, need + 200])
    expect(certificateOf(world, answer)).toMatchObject({
      rule: 'a quorum agrees that the call succeeds with this gas',
      agreed: 2,
      groups: [30_000, need + 200].map((gas) => ({ text: `"${hex(gas)}"`, weight: 1 })),
      confirmation: { gas: hex(need + 200), groups: [{ text: 'succeeds', weight: 2, nodes: ['a', 'b'] }] },
    })
  })
})

describe('an estimate never exceeds the gas', () => {
  test('that the caller allows', async () => {
    const params = [{ ...target, gas: hex(45_000) }]
    const all = await estimateOf([honest(0), honest(0), honest(0)], {}, params)
    expect(all.answer).toMatchObject(exceeds(45_000))
    const two = await estimateOf([honest(0), honest(200), absent(hangs)], {}, params)
    expect(two.answer).toMatchObject(failure)
    expect(gasTried(two.world)).toEqual([])
  })

  test.each([
    ['of a transaction, where EIP-7825 is active', 1, 16_777_216],
    ['of a call, elsewhere', 10, 30_000_000],
  ])('%s', async (_, chainId, most) => {
    const reporting = (gas: number) => estimateOf([liar(gas), liar(gas), liar(gas)], { chainId })
    expect((await reporting(most)).answer.result).toBe(hex(most))
    expect((await reporting(most + 1)).answer).toMatchObject(exceeds(most))
  })
})

describe('an estimate and the gas limit of its block', () => {
  /** Serves blocks with this gas limit; the head is 1000. */
  const blocksOf = (gasLimit: number, { on, ...script }: Script): Script => ({
    ...script,
    on: {
      ...on,
      eth_getBlockByNumber: (received) => {
        const number = received.params[0] === 'latest' ? 1000 : Number(received.params[0])
        return says(number > 1000 ? null : { ...blockAt(number), gasLimit: hex(gasLimit) })(received)
      },
    },
  })
  const within = (gasLimit: number, scripts: readonly Script[]) =>
    scripts.map((script) => blocksOf(gasLimit, script))
  const reportsAll = [honest(0), honest(0), honest(0)]
  const less = exceeds(need - 1)
  const reportsTwo = [liar(need + 300), honest(200), absent(hangs)]

  test('an agreed estimate may equal the limit but not exceed it', async () => {
    expect((await estimateOf(within(need, reportsAll))).answer.result).toBe(hex(need))
    // The limit is that of a block named by its hash too.
    for (const params of [[target], [target, { blockHash: hashOf(1000) }]])
      expect((await estimateOf(within(need - 1, reportsAll), {}, params)).answer).toMatchObject(less)
  })

  test('a single report above the limit is not tried', async () => {
    const over = [liar(need + 300), liar(20_000), absent(hangs)]
    const at = await estimateOf(within(need + 300, over))
    expect(gasTried(at.world)).toEqual([20_000])
    const above = [liar(need + 300), honest(400), absent(hangs)]
    expect((await estimateOf(within(need + 300, above))).answer.result).toBe(hex(need + 300))
    const { answer, world } = await estimateOf(within(need + 299, above))
    expect(answer).toMatchObject(failure)
    expect(gasTried(world)).toEqual([])
  })

  test('the limit is the one that a quorum shows, not the one of a single node', async () => {
    const low = blocksOf(need - 1, honest(0))
    const high = blocksOf(need + 1000, honest(0))
    expect((await estimateOf([low, high, blocksOf(1, honest(0))])).answer.result).toBe(hex(need))
    expect((await estimateOf([low, low, high])).answer).toMatchObject(less)
  })

  test('a call without gas is answered by a chain whose blocks hold less than the most of a call, from the first one on', async () => {
    const full = 17_000_000
    const call: Reply = (received) =>
      gasOf(received) > full ? fails(-32000, 'exceeds block gas limit')(received) : says('0x2a')(received)
    const world = worldOf(three(blocksOf(full, { on: { eth_call: call } })), { chainId: 10 })
    expect((await rpc(world, 'eth_call', [target])).result).toBe('0x2a')
    expect(gasTried(world)).toEqual([full])
    // The caller's own gas is the caller's.
    const named = await rpc(world, 'eth_call', [{ ...target, gas: hex(20_000_000) }])
    expect(named).toMatchObject({ error: { code: -32000 } })
  })

  test('a zero limit, or the very high one of Arbitrum, changes nothing', async () => {
    for (const gasLimit of [0, 2 ** 50])
      expect((await estimateOf(within(gasLimit, reportsTwo))).answer.result).toBe(hex(need + 200))
  })
})

describe('on Arbitrum, where eth_call does not charge for L1 data', () => {
  const arbitrum = { chainId: 42161 }

  test('estimates are not confirmed by a call', async () => {
    const third = absent(fails(-32603, 'no'))
    const { answer, world } = await estimateOf([honest(0), honest(200), third], arbitrum)
    expect(answer).toMatchObject(failure)
    expect(gasTried(world)).toEqual([])
  })

  test('all nodes are asked, and a slow third node is waited for', async () => {
    const slow = absent(late(1200, says(hex(need + 100))))
    const { answer } = await estimateOf([honest(0), honest(200), slow], arbitrum)
    expect(answer).toMatchObject({ result: hex(need + 100), ms: 1200 })
  })
})
