import { describe, expect, test } from 'vitest'
import { ask } from '../support/ask.ts'
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
} from '../support/replies.ts'
import { blockAt, hashOf, hex } from '../support/scripted-chain.ts'
import { asked, asksOf, type Script, type World, type WorldOptions, worldOf } from '../support/world.ts'

/** What the call needs. */
const need = 50_000
const target = { to: `0x${'ac'.repeat(20)}`, data: '0x01' }
const gasOf = ({ params }: Parameters<Reply>[0]) => Number((params[0] as { gas: string }).gas)

/** A call that fails with less gas than it needs, as every honest node runs it. */
const honestCall: Reply = (heard) =>
  gasOf(heard) < need ? fails(-32000, 'out of gas')(heard) : says('0x2a')(heard)

/** An honest node: each make estimates a little above the need, in its own way. */
const honest = (above: number, script: Script = {}): Script => ({
  on: { eth_estimateGas: says(hex(need + above)), eth_call: honestCall },
  ...script,
})

/** One that reports this, and speaks so of the call with any gas. */
const liar = (gas: number | bigint, call: Reply = says('0x2a'), script: Script = {}): Script => ({
  on: { eth_estimateGas: says(`0x${gas.toString(16)}`), eth_call: call },
  ...script,
})

const reportsNothing: Readonly<Record<string, Reply>> = {
  silent: hangs,
  'slow beyond the stall': late(5000, says('0xea60')),
  erring: fails(-32603, 'Internal error'),
  'rate-limited': limited,
  down: answersHttp(503),
  behind: isBehind,
}

/** What a third node does that reports nothing and says nothing of the call. */
const absent = (reply: Reply): Script => ({ on: { eth_estimateGas: reply, eth_call: reply } })

async function estimateOf(
  scripts: readonly Script[],
  options: WorldOptions = {},
  params: readonly unknown[] = [target],
) {
  const world = worldOf(scripts, { quorum: 2, ...options })
  await ask(world, 'eth_blockNumber')
  return { world, answer: await ask(world, 'eth_estimateGas', params) }
}

const failure = { error: { code: -32010 } }
const gasTried = (world: World) => [
  ...new Set(asksOf(world, 'eth_call').map(({ params }) => Number((params[0] as { gas: string }).gas))),
]

describe('an estimate is a value between two quorums', () => {
  test('and is answered as soon as there is one', async () => {
    const { world, answer } = await estimateOf([honest(0), honest(0), { reply: hangs }])
    expect(answer).toMatchObject({ result: hex(need), ms: 0 })
    expect(asked(world)).toBe('a@0 b@0 c@0')
  })

  test.each([
    ['high', 3_000_000],
    ['as high as a word', 2n ** 256n - 1n],
    ['low', 30_000],
    ['zero', 0],
    ['one below the least that a transaction costs', 20_999],
    ['just below the need', need - 1],
    ['just above', need + 1],
  ])('one liar of three moves it no further than the honest are apart: %s', async (_, lie) => {
    const { answer } = await estimateOf([liar(lie), honest(0), honest(400)])
    expect(Number(answer.result)).toBeGreaterThanOrEqual(need)
    expect(Number(answer.result)).toBeLessThanOrEqual(need + 400)
  })

  test('two nodes of one operator are one, whose first word stands', async () => {
    const { answer } = await estimateOf([
      liar(3_000_000, says('0x2a'), { operator: 'x', name: 'x1' }),
      liar(3_000_000, says('0x2a'), { operator: 'x', name: 'x2' }),
      honest(0, { name: 'y' }),
      honest(400, { name: 'z' }),
    ])
    expect(answer.result).toBe(hex(need + 400))
  })

  test('two of five who collude are no quorum', async () => {
    const five = [liar(1_000_000), liar(1_000_000), honest(0), honest(200), honest(400)]
    expect((await estimateOf(five, { quorum: 3 })).answer.result).toBe(hex(need + 400))
    const low = [liar(1), liar(1), honest(0), honest(200), honest(400)]
    expect((await estimateOf(low, { quorum: 3 })).answer.result).toBe(hex(need))
  })

  test('nor is a liar whose weight is one below it', async () => {
    const scripts = [
      liar(1_000_000, says('0x2a'), { weight: 4 }),
      honest(0, { weight: 3 }),
      honest(400, { weight: 3 }),
    ]
    expect((await estimateOf(scripts, { quorum: 5 })).answer.result).toBe(hex(need + 400))
  })

  test('and it claims the weight of its lighter side', async () => {
    const { answer } = await estimateOf([honest(0), honest(200), honest(400)])
    expect(answer.headers['x-quorate-agreement']).toBe('2/2/3')
  })
})

describe('where no value lies between two quorums, a quorum agrees that the call succeeds with one', () => {
  test.each(Object.entries(reportsNothing))(
    'honest nodes of two makes and a third that is %s: within a stall and two round trips',
    async (_, reply) => {
      const slow = (script: Script): Script => ({
        on: Object.fromEntries(
          Object.entries(script.on ?? {}).map(([method, said]) => [method, late(40, said)]),
        ),
      })
      const { answer, world } = await estimateOf([slow(honest(300)), slow(honest(0)), absent(reply)])
      expect(answer.result).toBe(hex(need))
      expect(answer.ms).toBeLessThanOrEqual(750 + 2 * 40)
      expect(gasTried(world)).toEqual([need])
      expect(answer.headers['x-quorate-agreement']).toBe('2/2/3')
    },
  )

  test('whoever has spoken is asked first: a silent node costs one stall and no second one', async () => {
    const { answer, world } = await estimateOf([absent(hangs), honest(300), honest(0)])
    expect(answer).toMatchObject({ result: hex(need), ms: 750 })
    expect(asked(world, 'eth_call')).toBe('b@750 c@750')
  })

  const lies: readonly (readonly [string, number | bigint])[] = [
    ['high', 3_000_000],
    ['as high as a word', 2n ** 256n - 1n],
    ['low', 30_000],
    ['zero', 0],
    ['one below the least that a transaction costs', 20_999],
    ['just below the need', need - 1],
    ['just above', need + 1],
  ]
  const calls: readonly (readonly [string, Reply])[] = [
    ['success', says('0x2a')],
    ['a revert', reverts('0xdead')],
    ['out of gas', fails(-32000, 'out of gas')],
    ['nothing', hangs],
  ]

  describe.each(Object.entries(reportsNothing))('the third is %s', (_, reply) => {
    test.each(lies.flatMap(([what, lie]) => calls.map(([how, call]) => [what, how, lie, call] as const)))(
      'a liar who reports what is %s, and says %s of the call, brings nothing out that a quorum does not vouch for',
      async (_what, _how, lie, call) => {
        const { answer, world } = await estimateOf([liar(lie, call), honest(200), absent(reply)])
        if (answer.error !== undefined) {
          expect(answer).toMatchObject(failure)
          return
        }
        // The honest node vouches for each value that leaves: the call succeeds with it.
        expect(Number(answer.result)).toBeGreaterThanOrEqual(need)
        expect(Number(answer.result)).toBeLessThanOrEqual(Math.max(need + 200, Number(lie)))
        expect(Number(answer.result)).toBeLessThanOrEqual(30_000_000)
        expect(gasTried(world)).toContain(Number(answer.result))
      },
    )
  })

  test('a liar that is honest about the call does no harm, however it reports', async () => {
    for (const [, lie] of lies) {
      const { answer } = await estimateOf([liar(lie, honestCall), honest(200), absent(hangs)])
      expect(answer.result).toBe(hex(lie === need + 1 ? need + 1 : need + 200))
    }
  })

  test('the third node’s other face: two nodes of the liar’s operator confirm nothing', async () => {
    const { answer } = await estimateOf([
      liar(30_000, says('0x2a'), { operator: 'x', name: 'x1' }),
      liar(30_000, says('0x2a'), { operator: 'x', name: 'x2' }),
      honest(0, { name: 'y' }),
      { ...absent(hangs), name: 'z' },
    ])
    expect(answer.result).toBe(hex(need))
  })

  test('operatorsMin holds for the confirmation too', async () => {
    const heavy = liar(30_000, says('0x2a'), { weight: 5 })
    const { answer } = await estimateOf([heavy, honest(0), absent(hangs)], { quorum: 5, operatorsMin: 2 })
    expect(answer.result).toBe(hex(need))
  })

  test('two of five who collude confirm nothing, with one honest node silent', async () => {
    for (const lie of [30_000, need - 1]) {
      const five = [liar(lie), liar(lie), honest(0), honest(200), absent(hangs)]
      const { answer } = await estimateOf(five, { quorum: 3 })
      expect(answer.result).toBe(hex(need))
    }
  })

  test('the same call, block and overrides are tried, with exactly that gas', async () => {
    const overrides = { [target.to]: { balance: '0x1' } }
    const params = [{ ...target, value: '0x1' }, 'latest', overrides]
    const { world } = await estimateOf([honest(300), honest(0), absent(hangs)], {}, params)
    expect(asksOf(world, 'eth_call').map(({ params: given }) => given)).toEqual(
      [0, 1].map(() => [{ to: target.to, gas: hex(need), value: '0x1', data: '0x01' }, hex(1000), overrides]),
    )
  })

  test('values are tried from the smallest on, until one is confirmed', async () => {
    const { world, answer } = await estimateOf([liar(30_000), honest(200), absent(hangs)])
    expect(answer.result).toBe(hex(need + 200))
    expect(gasTried(world)).toEqual([30_000, need + 200])
  })

  test('and eight of them at most, within the deadline', async () => {
    const many = Array.from({ length: 20 }, (_, index) => liar(30_000 + index, honestCall))
    const { world, answer } = await estimateOf(many, { quorum: 20 })
    expect(answer).toMatchObject(failure)
    expect(gasTried(world)).toHaveLength(8)
    const slow = [liar(30_000, hangs), liar(40_000, hangs), absent(hangs)]
    expect((await estimateOf(slow, { deadlineMs: 1000 })).answer).toMatchObject({ ...failure, ms: 1000 })
  })

  test('a revert that a quorum agrees on wins, whatever one node estimates', async () => {
    const scripts = [liar(30_000), ...[0, 1].map(() => ({ on: { eth_estimateGas: reverts('0xdead') } }))]
    expect((await estimateOf(scripts)).answer).toMatchObject({ error: { code: 3, data: '0xdead' } })
  })

  test('an estimate is kept while its head is, the confirmed one too', async () => {
    const { world } = await estimateOf([honest(300), honest(0), absent(hangs)])
    const again = await ask(world, 'eth_estimateGas', [target])
    expect(again.headers).toMatchObject({ 'x-quorate-cache': 'hit', 'x-quorate-agreement': '2/2/3' })
    expect(asked(world)).toBe('')
  })

  test('the certificate shows each value, names the rule, and shows who confirmed it', async () => {
    const { world, answer } = await estimateOf([liar(30_000), honest(200), absent(hangs)])
    const shown = world.gateway.answer(answer.headers['x-quorate-answer'] as string)
    expect(shown).toMatchObject({
      rule: 'a quorum agrees that the call succeeds with this gas',
      agreed: 2,
      camps: [{ said: hex(30_000) }, { said: hex(need + 200) }].map(({ said }) => ({
        said: `"${said}"`,
        weight: 1,
      })),
    })
    expect(shown?.confirmation).toMatchObject({
      gas: hex(need + 200),
      camps: [{ said: 'succeeds', weight: 2, nodes: ['a', 'b'] }],
    })
  })
})

describe('an estimate is never more than it may be', () => {
  test.each([
    ['the chain’s calls get', { callGas: 40_000 }, target, 40_000],
    ['the caller allows', {}, { ...target, gas: hex(45_000) }, 45_000],
  ])('than %s', async (_, options, call, most) => {
    const all = await estimateOf([honest(0), honest(0), honest(0)], options, [call])
    const error = { code: -32000, message: `gas required exceeds allowance (${most})` }
    expect(all.answer).toMatchObject({ error })
    const two = await estimateOf([honest(0), honest(200), absent(hangs)], options, [call])
    expect(two.answer).toMatchObject(failure)
    expect(gasTried(two.world)).toEqual([])
  })
})

describe('nor more than the gas limit of its block', () => {
  /** Blocks of this gas limit; the head is 1000. */
  const blocksOf = (gasLimit: number, { on, ...script }: Script): Script => ({
    ...script,
    on: {
      ...on,
      eth_getBlockByNumber: (heard) => {
        const number = heard.params[0] === 'latest' ? 1000 : Number(heard.params[0])
        return says(number > 1000 ? null : { ...blockAt(number), gasLimit: hex(gasLimit) })(heard)
      },
    },
  })
  const within = (gasLimit: number, scripts: readonly Script[]) =>
    scripts.map((script) => blocksOf(gasLimit, script))
  const reportsAll = [honest(0), honest(0), honest(0)]
  const reportsTwo = [liar(need + 300), honest(200), absent(hangs)]

  test('which a quorum may reach and not exceed', async () => {
    expect((await estimateOf(within(need, reportsAll))).answer.result).toBe(hex(need))
    const { answer } = await estimateOf(within(need - 1, reportsAll))
    const message = `gas required exceeds allowance (${need - 1})`
    expect(answer).toMatchObject({ error: { code: -32000, message } })
  })

  test('and no single report above it is tried', async () => {
    const over = [liar(need + 300), liar(20_000), absent(hangs)]
    const at = await estimateOf(within(need + 300, over))
    expect(gasTried(at.world)).toEqual([20_000])
    const above = [liar(need + 300), honest(400), absent(hangs)]
    expect((await estimateOf(within(need + 300, above))).answer.result).toBe(hex(need + 300))
    const { answer, world } = await estimateOf(within(need + 299, above))
    expect(answer).toMatchObject(failure)
    expect(gasTried(world)).toEqual([])
  })

  test('nor one at a block that is named by its hash', async () => {
    const named = [target, { blockHash: hashOf(1000) }]
    expect((await estimateOf(within(need - 1, reportsAll), {}, named)).answer).toMatchObject({
      error: { message: `gas required exceeds allowance (${need - 1})` },
    })
  })

  test('as a quorum shows it: one node’s word for a limit is not the block’s', async () => {
    const low = blocksOf(need - 1, honest(0))
    const high = blocksOf(need + 1000, honest(0))
    expect((await estimateOf([low, high, blocksOf(1, honest(0))])).answer.result).toBe(hex(need))
    const { answer } = await estimateOf([low, low, high])
    expect(answer.error).toMatchObject({ message: `gas required exceeds allowance (${need - 1})` })
  })

  test('and where blocks name none, or Arbitrum’s, which is beyond every call, nothing changes', async () => {
    for (const gasLimit of [0, 2 ** 50])
      expect((await estimateOf(within(gasLimit, reportsTwo))).answer.result).toBe(hex(need + 200))
  })
})

describe('on Arbitrum, whose calls do not charge for the parent chain’s data', () => {
  test('nothing is confirmed by a call', async () => {
    const { answer, world } = await estimateOf([honest(0), honest(200), absent(fails(-32603, 'no'))], {
      chainId: 42161,
    })
    expect(answer).toMatchObject(failure)
    expect(gasTried(world)).toEqual([])
  })

  test('a slow third node is waited for, and everybody is asked', async () => {
    const slow = absent(late(1200, says(hex(need + 100))))
    const { answer } = await estimateOf([honest(0), honest(200), slow], { chainId: 42161 })
    expect(answer).toMatchObject({ result: hex(need + 100), ms: 1200 })
  })
})
