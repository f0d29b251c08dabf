import { describe, expect, test } from 'vitest'
import type { ReadCall, Reading } from '#lib/page/reading.ts'
import { tokenCall } from '#lib/token/erc20.ts'
import { asStep, type Intent, type Plan, reviewedOf } from '#lib/wallet/plan.ts'
import { planBatch } from '#lib/wallet/plan-batch.ts'
import { agreed, refused } from '../../support/readings.ts'
import { own as from, third, token, other as vault } from './accounts.ts'
import { labelReplies, tokenEvent, word } from './event-words.ts'
import { done, failed, simulated, simulatedIn } from './simulation.ts'

const wish = { chainId: 137, from, value: 0n, hasOwners: false } as const
const approval: Intent = { ...wish, to: token, data: tokenCall('approve', vault, 5n) }
const act: Intent = { ...wish, to: vault, value: 3n, data: '0x12345678' }

const ran = { ...done(word(1n)), gasUsed: '0x186a0' }

interface World {
  /** How each call goes. */
  readonly runs?: (calls: ReturnType<typeof simulatedIn>) => readonly object[]
  /** By token. */
  readonly allowances?: Readonly<Record<string, bigint>>
  /** By method. */
  readonly answers?: Readonly<Record<string, Reading>>
}

const willing = {
  eth_getBalance: agreed('0xde0b6b3a7640000'),
  eth_getTransactionCount: agreed('0x7'),
  eth_getCode: agreed('0x60'),
  eth_gasPrice: agreed('0x1'),
  eth_maxPriorityFeePerGas: agreed('0x1'),
  eth_getBlockByNumber: agreed({ baseFeePerGas: '0x1' }),
}

/** Plans calls on a chain that simulates them like this. Returns what was simulated, too. */
async function plan(intents: readonly Intent[], { runs, allowances = {}, answers = {} }: World = {}) {
  const simulations: (readonly string[])[] = []
  const given: Readonly<Record<string, Reading>> = { ...willing, ...answers }
  const read = (call: ReadCall): Reading => {
    const answer = given[call.method]
    if (answer !== undefined) return answer
    if (call.method === 'eth_simulateV1') {
      const calls = simulatedIn(call).slice(1, -1)
      simulations.push(calls.map(({ data }) => data))
      return simulated(done(word(9n)), ...(runs?.(calls) ?? calls.map(() => ran)), done(word(6n)))
    }
    const { to = '', data = '' } = call.params[0] as { to?: string; data?: string }
    return agreed(data.startsWith('0xdd62ed3e') ? word(allowances[to] ?? 0n) : (labelReplies[data] ?? '0x'))
  }
  const planned = await planBatch(intents, async (questions) => questions.map(read))
  return { planned, simulations }
}
const planOf = (planned: unknown) => (planned as { readonly plan: Plan }).plan

describe('several calls in one prompt', () => {
  test('are simulated one after the other, and their effects are those of all', async () => {
    const { planned, simulations } = await plan([approval, act])
    expect(simulations[0]).toEqual([approval.data, act.data])
    const { calls, changes, nonce, block, fee } = planOf(planned)
    expect(calls.map(({ intent, meaning }) => [intent.to, meaning.kind])).toEqual([
      [token, 'approve'],
      [vault, 'call'],
    ])
    expect(changes).toEqual([{ kind: 'coin', before: 9n, after: 6n, label: null }])
    expect({ nonce, block, gas: fee?.gas }).toEqual({ nonce: 7, block: 9, gas: 240_000n })
  })

  test.each([
    ['the call reverts', failed, 'reverts', act],
    ['a token answers false', done(word(0n)), 'refused', approval],
    ['a token answers neither yes nor no', done(word(7n)), 'unreadable', approval],
  ] as const)('name the one at fault: %s', async (_, run, fault, intent) => {
    const { planned } = await plan([act, intent], { runs: () => [ran, run] })
    expect(planned).toEqual({ fault, step: 2 })
  })

  test('are refused where one goes to no contract, and where the balance is not enough for all', async () => {
    const withBalance = async (units: string) =>
      (await plan([act, act], { answers: { eth_getBalance: agreed(units) } })).planned
    const nowhere = await plan([approval, act], { answers: { eth_getCode: agreed('0x') } })
    expect(nowhere.planned).toEqual({ fault: 'no-contract', step: 1 })
    expect(await withBalance('0x6')).not.toHaveProperty('fault')
    expect(await withBalance('0x5')).toEqual({ fault: 'funds' })
  })

  test('are not planned together where the nodes cannot simulate them together', async () => {
    const { planned } = await plan([approval, act], { answers: { eth_simulateV1: refused('refused') } })
    expect(planned).toBeNull()
  })

  const revocation = tokenCall('approve', vault, 0n)
  /** A token that takes an approval right after a revocation only. */
  const runs: World['runs'] = (calls) =>
    calls.map(({ data }, index) =>
      data === approval.data && calls[index - 1]?.data !== revocation ? failed : ran,
    )

  test('get a revocation before an approval that a token does not take otherwise', async () => {
    const allowances = { [token]: 9n }
    const { calls, steps } = planOf((await plan([approval, act], { runs, allowances })).planned)
    expect(calls.map(({ intent }) => intent.data)).toEqual([revocation, approval.data, act.data])
    expect(steps?.allowance).toMatchObject({ revocation: { to: token }, units: 9n })
    const fault = { fault: 'reverts', step: 1 }
    // Without an allowance it is another fault, and one that stays after the revocation is none of it.
    expect((await plan([approval, act], { runs })).planned).toEqual(fault)
    const never: World['runs'] = (calls) => calls.map(({ data }) => (data === approval.data ? failed : ran))
    expect((await plan([approval, act], { runs: never, allowances })).planned).toEqual(fault)
  })

  test('of two tokens that require a revocation show token and amount of the same allowance', async () => {
    const allowances = { [token]: 5n, [third]: 7n }
    const { planned } = await plan([approval, { ...approval, to: third }], { runs, allowances })
    const { calls, steps } = planOf(planned)
    expect(calls.map(({ intent }) => intent.to)).toEqual([token, token, third, third])
    expect(steps?.allowance).toMatchObject({ revocation: { to: third }, units: 7n })
  })

  test('of a token that keeps a fee are reviewed, and compared afterwards, with what arrives', async () => {
    const transfer: Intent = { ...wish, to: token, data: tokenCall('transfer', vault, 5n) }
    const moves = (units: bigint) => done(word(1n), [tokenEvent('transfer', [from, vault], units)])
    const gainsOf = async (...runs: readonly object[]) => {
      const { planned } = await plan([transfer, transfer], { runs: () => runs })
      return planOf(planned).calls.map((call) => reviewedOf(call).gain)
    }
    expect(await gainsOf(moves(4n), moves(5n))).toEqual(['0x4', '0x5'])
    expect(await gainsOf(ran, moves(3n))).toEqual([undefined, '0x3'])
  })

  test('of a multi-owner wallet have neither fee nor nonce', async () => {
    const { planned } = await plan([approval, act].map((call) => ({ ...call, hasOwners: true })))
    expect(planOf(planned)).toMatchObject({ fee: null, nonce: null })
  })
})

test('a step that turns out to need a revocation becomes two', async () => {
  const allowance = { revocation: act, units: 9n }
  const intents = [act, approval]
  const single = planOf((await plan([approval])).planned)
  const asSecond = (planned: Plan) => asStep(planned, { intents, current: 1 }).steps
  expect(asSecond({ ...single, steps: { intents, current: 0, allowance } })).toEqual({
    intents: [act, act, approval],
    current: 1,
    allowance,
  })
  expect(asSecond(single)).toEqual({ intents, current: 1, allowance: undefined })
})
