import { maxUint256 } from 'viem'
import { expect, test } from 'vitest'
import { sendTexts } from '#lib/page/texts/send.ts'
import { tokenTexts } from '#lib/page/texts/token.ts'
import { tokenCall } from '#lib/token/erc20.ts'
import { settleEffect } from '#lib/wallet/effect.ts'
import { isToken, meaningOf } from '#lib/wallet/meaning.ts'
import type { Plan, PlannedCall } from '#lib/wallet/plan.ts'
import { tokens } from '#site'
import { warningsOf } from '../../app/_send/warnings.ts'

const from = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const [listed] = tokens
const token = listed.address

type Warned = Pick<Plan, 'calls' | 'changes'>
const alone = (call: PlannedCall, changes: Plan['changes'] = null): Warned => ({ calls: [call], changes })

/** A transfer of a token after which the recipient has `gained` more. */
function transferOf(amount: bigint, gained: bigint): PlannedCall {
  const data = tokenCall('transfer', other, amount)
  const label = { symbol: listed.symbol, decimals: 6 }
  const intent = {
    chainId: listed.chainId,
    from,
    to: token,
    value: 0n,
    data,
    hasOwners: false,
    token: label,
  } as const
  return {
    intent,
    meaning: meaningOf(intent),
    toContract: false,
    effect: { before: [amount, 7n], after: [0n, 7n + gained] },
  }
}

test('a token that rounds by a wei, such as stETH, raises no alarm; one that keeps a fee does', () => {
  const amount = 10n ** 18n
  expect(warningsOf(alone(transferOf(amount, amount - 1n)))).toEqual([])
  expect(warningsOf(alone(transferOf(amount, amount - amount / 1_000_000n)))).toEqual([])
  expect(warningsOf(alone(transferOf(amount, amount - amount / 1_000_000n - 1n)))).toEqual([
    { text: sendTexts.gainWarning, isDanger: false },
  ])
})

test('the review warns of a smaller gain exactly where the comparison afterwards finds another amount', () => {
  const amount = 10n ** 18n
  for (const kept of [0n, 1n, 2n, amount / 1_000_000n, amount / 1_000_000n + 1n, amount / 2n]) {
    const { meaning, effect, ...call } = transferOf(amount, amount - kept)
    if (!isToken(meaning)) throw new Error('a transfer is of a token')
    const settled = settleEffect({ meaning, from, expected: amount }, [], effect)
    expect(
      warningsOf(alone({ ...call, meaning, effect })).some(({ text }) => text === sendTexts.gainWarning),
      String(kept),
    ).toBe(settled !== amount)
  }
})

test('the review says that a token is not the listed one of its symbol', () => {
  const call = transferOf(5n, 5n)
  const to = `0x${'ab'.repeat(20)}` as const
  expect(warningsOf(alone({ ...call, intent: { ...call.intent, to } }))).toEqual([
    { text: tokenTexts.doubts.imitates, isDanger: false },
  ])
})

test('the review of several calls, and of one that moves a token, says that it is not the listed one of its symbol', () => {
  const transfer = transferOf(5n, 5n)
  const label = { symbol: listed.symbol, decimals: 6 }
  const to = `0x${'ab'.repeat(20)}` as const
  const textsOf = (one: Warned) => warningsOf(one).map(({ text }) => text)
  const approval = { ...transfer.intent, to, data: tokenCall('approve', other, 5n) }
  const call = { intent: approval, meaning: meaningOf(approval), toContract: true, effect: null }
  expect(textsOf({ calls: [call, call], changes: [] })).toEqual([tokenTexts.doubts.imitates])
  const intent = {
    chainId: listed.chainId,
    from,
    to: other,
    value: 0n,
    data: '0x12345678',
    hasOwners: false,
  } as const
  const gained = { kind: 'balance', token: to, label, before: 0n, after: 5n } as const
  const any = { intent, meaning: meaningOf(intent), toContract: true, effect: null }
  expect(textsOf(alone(any, [gained]))).toEqual([tokenTexts.doubts.imitates])
  expect(textsOf(alone(any, [{ ...gained, token }]))).toEqual([])
})

test('an approval to an ordinary account, and what is sent to nobody, are dangers; a contract as spender is not', () => {
  const planOf = (action: 'approve' | 'transfer', party: `0x${string}`, toContract: boolean): Warned => {
    const intent = { ...transferOf(5n, 5n).intent, data: tokenCall(action, party, maxUint256) }
    return alone({ intent, meaning: meaningOf(intent), toContract, effect: null })
  }
  const dangersOf = (plan: Warned) =>
    warningsOf(plan).flatMap(({ text, isDanger }) => (isDanger ? [text] : []))
  expect(dangersOf(planOf('approve', other, false))).toEqual([tokenTexts.spenderIsAccount])
  expect(dangersOf(planOf('approve', other, true))).toEqual([])
  expect(dangersOf(planOf('approve', token, true))).toEqual([tokenTexts.approveItself])
  expect(dangersOf(planOf('transfer', `0x${'0'.repeat(40)}`, false))).toEqual([sendTexts.toNobody.zero])
  expect(dangersOf(planOf('transfer', token, true))).toEqual([tokenTexts.toItself])
  expect(dangersOf(planOf('transfer', other, false))).toEqual([])
})
