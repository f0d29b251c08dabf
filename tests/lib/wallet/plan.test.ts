import { describe, expect, test } from 'vitest'
import type { Question, Reading } from '#lib/page/reading.ts'
import { planSend } from '#lib/wallet/plan.ts'

const intent = {
  chainId: 137,
  from: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  value: 1000n,
} as const
const agreed = (value: unknown): Reading => ({
  state: 'agreed',
  value,
  quorum: { agreed: 2, needed: 1.5, total: 3 },
  block: 9,
  answer: 'a',
})
const refused = (why: 'refused' | 'disagree' | 'silent'): Reading => ({ state: 'refused', why, answer: null })

const willing: Readonly<Record<string, Reading>> = {
  eth_getBalance: agreed('0x2386f26fc10000'),
  eth_call: agreed('0x'),
  eth_estimateGas: agreed('0x5208'),
  eth_gasPrice: agreed('0x64'),
  eth_maxPriorityFeePerGas: agreed('0x1'),
  eth_getCode: agreed('0x'),
}
const plan = (change: Readonly<Record<string, Reading>> = {}) =>
  planSend(intent, async (questions: readonly Question[]) =>
    questions.map(({ method }) => ({ ...willing, ...change })[method] ?? refused('silent')),
  )

describe('a plan to send', () => {
  test('holds gas, fee and the block at which it was tried', async () => {
    expect(await plan()).toMatchObject({
      plan: {
        gas: 21_000n,
        maxFeePerGas: 201n,
        maxPriorityFeePerGas: 1n,
        feeMax: 21_000n * 201n,
        block: 9,
        toContract: false,
      },
    })
  })

  test('gives a contract a fifth more gas than it was estimated to need', async () => {
    const planned = await plan({ eth_estimateGas: agreed('0x186a0'), eth_getCode: agreed('0x60') })
    expect(planned).toMatchObject({ plan: { gas: 120_000n, toContract: true } })
  })

  test('is refused when the balance does not cover the amount', async () => {
    expect(await plan({ eth_getBalance: agreed('0x1') })).toEqual({ fault: 'funds' })
  })

  test('is refused when the balance covers the amount but not its fee', async () => {
    expect(await plan({ eth_getBalance: agreed(`0x${(1000n + 21_000n * 201n - 1n).toString(16)}`) })).toEqual(
      { fault: 'funds' },
    )
    expect(
      await plan({ eth_getBalance: agreed(`0x${(1000n + 21_000n * 201n).toString(16)}`) }),
    ).toHaveProperty('plan')
  })

  test('is refused when the chain would undo it', async () => {
    expect(await plan({ eth_call: refused('refused'), eth_estimateGas: refused('refused') })).toEqual({
      fault: 'reverts',
    })
  })

  test.each(['eth_getBalance', 'eth_call', 'eth_estimateGas', 'eth_gasPrice'])(
    'says that the nodes disagree when they do on %s',
    async (method) => {
      expect(await plan({ [method]: refused('disagree') })).toEqual({ refused: 'disagree' })
    },
  )

  test('takes no figure that is not a quantity', async () => {
    expect(await plan({ eth_gasPrice: agreed('many') })).toEqual({ refused: 'silent' })
  })
})
