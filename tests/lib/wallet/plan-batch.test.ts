import { describe, expect, test } from 'vitest'
import type { ReadCall, Reading } from '#lib/page/reading.ts'
import { tokenCall } from '#lib/token/erc20.ts'
import { asStep, type Intent, type Plan, reviewedOf } from '#lib/wallet/plan.ts'
import { planBatch } from '#lib/wallet/plan-batch.ts'
import { agreed, refused } from '../../support/readings.ts'
import { own as from, third, token, other as vault } from './accounts.ts'
import { topics, word } from './event-words.ts'

const wish = { chainId: 137, from, value: 0n, hasOwners: false } as const
const approval: Intent = { ...wish, to: token, data: tokenCall('approve', vault, 5n) }
const act: Intent = { ...wish, to: vault, value: 3n, data: '0x12345678' }

const symbol = `0x${'20'.padStart(64, '0')}${'3'.padStart(64, '0')}${'545354'.padEnd(64, '0')}`
const done = { status: '0x1', returnData: word(1n), gasUsed: '0x186a0', logs: [] }
const coin = (units: bigint) => ({ ...done, returnData: word(units) })

interface World {
  /** How each call goes. */
  readonly runs?: (calls: readonly { readonly data: string }[]) => readonly object[]
  readonly balance?: bigint
  readonly allowance?: bigint
  /** The allowance of the token `third`. */
  readonly otherAllowance?: bigint
  readonly code?: string
  readonly simulates?: boolean
}

/** Plans calls on a chain that simulates them like this. Returns what was simulated, too. */
async function plan(intents: readonly Intent[], world: World = {}) {
  const { balance = 10n ** 18n, allowance = 0n, otherAllowance = 0n, code = '0x60', simulates = true } = world
  const simulated: (readonly { readonly data: string }[])[] = []
  const read = ({ method, params }: ReadCall): Reading => {
    if (method === 'eth_getBalance') return agreed(`0x${balance.toString(16)}`)
    if (method === 'eth_getTransactionCount') return agreed('0x7')
    if (method === 'eth_getCode') return agreed(code)
    if (method === 'eth_gasPrice' || method === 'eth_maxPriorityFeePerGas') return agreed('0x1')
    if (method === 'eth_getBlockByNumber') return agreed({ baseFeePerGas: '0x1' })
    if (method === 'eth_simulateV1') {
      if (!simulates) return refused('refused')
      const [{ blockStateCalls }] = params as [{ blockStateCalls: [{ calls: { data: string }[] }] }]
      const calls = blockStateCalls[0].calls.slice(1, -1)
      simulated.push(calls)
      const runs = world.runs?.(calls) ?? calls.map(() => done)
      return agreed([{ calls: [coin(9n), ...runs, coin(6n)] }])
    }
    const { to, data = '' } = params[0] as { to?: string; data?: string }
    if (data === '0x313ce567') return agreed(word(6n))
    if (data === '0x95d89b41') return agreed(symbol)
    return agreed(data.startsWith('0xdd62ed3e') ? word(to === third ? otherAllowance : allowance) : '0x')
  }
  const planned = await planBatch(intents, async (questions) => questions.map(read))
  return { planned, simulated }
}
const planOf = (planned: unknown) => (planned as { readonly plan: Plan }).plan

describe('several calls in one prompt', () => {
  test('are simulated one after the other, and their effects are those of all', async () => {
    const { planned, simulated } = await plan([approval, act])
    expect(simulated[0]?.map(({ data }) => data)).toEqual([approval.data, act.data])
    const { calls, changes, nonce, block, fee } = planOf(planned)
    expect(calls.map(({ intent, meaning }) => [intent.to, meaning.kind])).toEqual([
      [token, 'approve'],
      [vault, 'call'],
    ])
    expect(changes).toEqual([{ kind: 'coin', before: 9n, after: 6n, label: null }])
    expect({ nonce, block, gas: fee?.gas }).toEqual({ nonce: 7, block: 9, gas: 240_000n })
  })

  test.each([
    ['the call reverts', { status: '0x0', returnData: '0x' }, 'reverts', act],
    ['a token answers false', { ...done, returnData: word(0n) }, 'refused', approval],
    ['a token answers neither yes nor no', { ...done, returnData: word(7n) }, 'unreadable', approval],
  ] as const)('name the one at fault: %s', async (_, run, fault, intent) => {
    const { planned } = await plan([act, intent], { runs: () => [done, run] })
    expect(planned).toEqual({ fault, step: 2 })
  })

  test('are refused where one goes to no contract, and where the balance is not enough for all', async () => {
    expect((await plan([approval, act], { code: '0x' })).planned).toEqual({ fault: 'no-contract', step: 1 })
    expect((await plan([act, act], { balance: 6n })).planned).not.toHaveProperty('fault')
    expect((await plan([act, act], { balance: 5n })).planned).toEqual({ fault: 'funds' })
  })

  test('are not planned together where the nodes cannot simulate them together', async () => {
    expect((await plan([approval, act], { simulates: false })).planned).toBeNull()
  })

  test('get a revocation before an approval that a token does not take otherwise', async () => {
    const revocation = tokenCall('approve', vault, 0n)
    const runs: World['runs'] = (calls) => {
      const isRevoked = calls[0]?.data === revocation
      return calls.map(({ data }) =>
        data === approval.data && !isRevoked ? { status: '0x0', returnData: '0x' } : done,
      )
    }
    const { planned } = await plan([approval, act], { runs, allowance: 9n })
    expect(planOf(planned).calls.map(({ intent }) => intent.data)).toEqual([
      revocation,
      approval.data,
      act.data,
    ])
    expect(planOf(planned).steps?.allowance).toMatchObject({ revocation: { to: token }, units: 9n })
    // Without an allowance it is another fault, and one that stays after the revocation is none of it.
    expect((await plan([approval, act], { runs })).planned).toEqual({ fault: 'reverts', step: 1 })
    const never: World['runs'] = (calls) =>
      calls.map(({ data }) => (data === approval.data ? { status: '0x0', returnData: '0x' } : done))
    expect((await plan([approval, act], { runs: never, allowance: 9n })).planned).toEqual({
      fault: 'reverts',
      step: 1,
    })
  })

  test('of two tokens that require a revocation show token and amount of the same allowance', async () => {
    const revocation = tokenCall('approve', vault, 0n)
    const runs: World['runs'] = (calls) =>
      calls.map(({ data }, index) =>
        data === approval.data && calls[index - 1]?.data !== revocation
          ? { status: '0x0', returnData: '0x' }
          : done,
      )
    const world = { runs, allowance: 5n, otherAllowance: 7n }
    const { planned } = await plan([approval, { ...approval, to: third }], world)
    expect(planOf(planned).calls.map(({ intent }) => intent.to)).toEqual([token, token, third, third])
    expect(planOf(planned).steps?.allowance).toMatchObject({ revocation: { to: third }, units: 7n })
  })

  test('of a token that keeps a fee are reviewed, and compared afterwards, with what arrives', async () => {
    const transfer: Intent = { ...wish, to: token, data: tokenCall('transfer', vault, 5n) }
    const moves = (units: bigint) => ({
      ...done,
      logs: [{ address: token, topics: [topics.transfer, word(from), word(vault)], data: word(units) }],
    })
    const gainsOf = async (...runs: readonly object[]) =>
      planOf((await plan([transfer, transfer], { runs: () => runs })).planned).calls.map(
        (call) => reviewedOf(call).gain,
      )
    expect(await gainsOf(moves(4n), moves(5n))).toEqual(['0x4', '0x5'])
    expect(await gainsOf(done, moves(3n))).toEqual([undefined, '0x3'])
  })

  test('of a multi-owner wallet have neither fee nor nonce', async () => {
    const { planned } = await plan([
      { ...approval, hasOwners: true },
      { ...act, hasOwners: true },
    ])
    expect(planOf(planned)).toMatchObject({ fee: null, nonce: null })
  })
})

test('a step that turns out to need a revocation becomes two', async () => {
  const allowance = { revocation: act, units: 9n }
  const own = { intents: [act, approval], current: 0, allowance }
  const single = planOf((await plan([approval])).planned)
  const { steps } = asStep({ ...single, steps: own }, { intents: [act, approval], current: 1 })
  expect(steps).toEqual({ intents: [act, act, approval], current: 1, allowance })
  expect(asStep(single, { intents: [act, approval], current: 1 }).steps).toEqual({
    intents: [act, approval],
    current: 1,
    allowance: undefined,
  })
})
