import { type Hex, maxUint160, maxUint256 } from 'viem'
import { expect, test } from 'vitest'
import { sendTexts } from '#lib/page/texts/send.ts'
import { tokenTexts } from '#lib/page/texts/token.ts'
import { tokenCall } from '#lib/token/erc20.ts'
import { settleEffect } from '#lib/wallet/effect.ts'
import { isToken, meaningOf } from '#lib/wallet/meaning.ts'
import type { Intent, Plan, PlannedCall } from '#lib/wallet/plan.ts'
import { tokens } from '#site'
import { warningsOf } from '../../app/_send/warnings.ts'

const from = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const unlisted = `0x${'ab'.repeat(20)}` as const
const [{ address: token, chainId, symbol }] = tokens
const label = { symbol, decimals: 6 }
const amount = 10n ** 18n

/** A transfer of the listed token, unless it is changed. */
function callWith(change: Partial<Intent>, more: Partial<PlannedCall> = {}): PlannedCall {
  const data = tokenCall('transfer', other, amount)
  const usual = { chainId, from, to: token, value: 0n, data, hasOwners: false, token: label } as const
  const intent: Intent = { ...usual, ...change }
  return { intent, meaning: meaningOf(intent), toContract: false, effect: null, ...more }
}

/** An approval for a contract. */
const approvalOf = (units: bigint, to: Hex = token) =>
  callWith({ to, data: tokenCall('approve', other, units) }, { toContract: true })

/** After it the recipient has `gained` more. */
const gaining = (gained: bigint) => ({ before: [amount, 7n], after: [0n, 7n + gained] })

const alone = (call: PlannedCall, changes: Plan['changes'] = null) => warningsOf({ calls: [call], changes })
const imitation = { text: tokenTexts.doubts.imitates, isDanger: false }

test('a token that rounds by a wei, such as stETH, raises no alarm; one that keeps a fee does', () => {
  const warningsWhere = (kept: bigint) => alone(callWith({}, { effect: gaining(amount - kept) }))
  expect(warningsWhere(1n)).toEqual([])
  expect(warningsWhere(amount / 1_000_000n)).toEqual([])
  expect(warningsWhere(amount / 1_000_000n + 1n)).toEqual([{ text: sendTexts.gainWarning, isDanger: false }])
})

test('the review warns of a smaller gain exactly where the comparison afterwards finds another amount', () => {
  for (const kept of [0n, 1n, 2n, amount / 1_000_000n, amount / 1_000_000n + 1n, amount / 2n]) {
    const effect = gaining(amount - kept)
    const call = callWith({}, { effect })
    if (!isToken(call.meaning)) throw new Error('a transfer is of a token')
    const settled = settleEffect({ meaning: call.meaning, from, expected: amount }, [], effect)
    const isWarned = alone(call).some(({ text }) => text === sendTexts.gainWarning)
    expect(isWarned, String(kept)).toBe(settled !== amount)
  }
})

test('the review of one call, of several, and of what moves a token, says that it is not the listed one of its symbol', () => {
  expect(alone(callWith({ to: unlisted }))).toEqual([imitation])
  const approval = approvalOf(5n, unlisted)
  expect(warningsOf({ calls: [approval, approval], changes: [] })).toEqual([imitation])
  const any = callWith({ to: other, data: '0x12345678' }, { toContract: true })
  const gained = { kind: 'balance', token: unlisted, label, before: 0n, after: 5n } as const
  expect(alone(any, [gained])).toEqual([imitation])
  expect(alone(any, [{ ...gained, token }])).toEqual([])
})

test.each([true, false])(
  'an approved collection is a danger if the spender is an ordinary account: %s',
  (isToAccount) => {
    const call = callWith({ data: '0x12345678' }, { toContract: true })
    const of = { token: unlisted, spender: other, label: null, isToAccount } as const
    const given = { kind: 'collection', ...of, before: 0n, after: 1n } as const
    const plain = { text: sendTexts.anyCall.collectionWarning, isDanger: false }
    const fraud = { text: tokenTexts.spenderIsAccount, isDanger: true }
    expect(alone(call, [given])).toEqual(isToAccount ? [fraud, plain] : [plain])
    expect(alone(call, [{ ...given, before: 1n, after: 0n }])).toEqual([])
  },
)

test('the review of several calls warns of each approval if the changes cannot be shown', () => {
  const approval = approvalOf(maxUint256)
  const texts = warningsOf({ calls: [approval, approval], changes: null }).map(({ text }) => text)
  expect(texts).toEqual([tokenTexts.unlimitedWarning, sendTexts.anyCall.notSimulated])
})

const nobody = `0x${'0'.repeat(40)}` as const

test.each<readonly ['approve' | 'transfer', Hex, boolean, readonly string[]]>([
  ['approve', other, false, [tokenTexts.spenderIsAccount]],
  ['approve', other, true, []],
  ['approve', token, true, [tokenTexts.approveItself]],
  ['transfer', nobody, false, [sendTexts.toNobody.zero]],
  ['transfer', token, true, [tokenTexts.toItself]],
  ['transfer', other, false, []],
])('%s, with %s, which is a contract: %s, has the dangers %j', (action, party, toContract, dangers) => {
  const call = callWith({ data: tokenCall(action, party, maxUint256) }, { toContract })
  expect(alone(call).flatMap(({ text, isDanger }) => (isDanger ? [text] : []))).toEqual(dangers)
})

test.each([
  [0n, tokenTexts.revokeText],
  [maxUint160 - 1n, tokenTexts.approveWarning],
  [maxUint160, tokenTexts.unlimitedWarning],
  [maxUint256, tokenTexts.unlimitedWarning],
])('an approval of %s has a warning that matches the review', (units, text) => {
  expect(alone(approvalOf(units))).toEqual([{ text, isDanger: false }])
})
