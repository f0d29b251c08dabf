import { maxUint256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { type Effect, type EventLog, settleEffect } from '#lib/wallet/effect.ts'
import type { TokenMeaning } from '#lib/wallet/meaning.ts'
import { own as from, other as party, token } from './accounts.ts'
import { tokenEvent } from './event-words.ts'

const eventOf = {
  transfer: (amount: bigint) => tokenEvent('transfer', [from, party], amount),
  approve: (amount: bigint) => tokenEvent('approval', [from, party], amount),
}
const settle = (
  kind: 'transfer' | 'approve',
  amount: bigint,
  logs: readonly EventLog[],
  effect: Effect | null,
) => settleEffect({ meaning: { kind, token, party, amount }, from, expected: amount }, logs, effect)
const balances = (before: readonly bigint[], after: readonly bigint[]): Effect => ({ before, after })

describe('a transfer', () => {
  const moved = balances([1_000n, 0n], [900n, 100n])
  const still = balances([1_000n, 5n], [1_000n, 5n])
  const moreMoved = balances([9n, 0n], [0n, 500n])
  const log = eventOf.transfer(100n)
  const elsewhere = tokenEvent('transfer', [from, token], 100n)

  test.each([
    ['as its event and the balances say', [log], moved, 100n],
    ['by its event, where the state of the block is gone', [log], null, 100n],
    ['by the balances, where the token has no events', [], moved, 100n],
    ['though the recipient received more in the same block', [log], moreMoved, 100n],
    ['not, whatever the event says, when no balance has changed', [log], still, 0n],
    ['not, without an event and without a change', [], still, 0n],
    ['not, without an event, where nothing else is known', [], null, 0n],
    ['a part, as the event says', [eventOf.transfer(97n)], balances([1_000n, 0n], [900n, 97n]), 97n],
    ['a part, as the balances say', [], balances([1_000n, 0n], [900n, 97n]), 97n],
    ['more than was asked', [log, eventOf.transfer(50n)], moved, 150n],
    ['not, when the event is another token’s', [{ ...log, address: party }], still, 0n],
    ['not, when the event is of other accounts', [elsewhere], still, 0n],
    ['not, when the event has no amount, as an ERC-721', [{ ...log, data: '0x' }], still, 0n],
  ] as const)('has moved %s', (_, logs, effect, amount) => {
    expect(settle('transfer', 100n, logs, effect)).toBe(amount)
  })

  test('may be rounded by a millionth, and by no more', () => {
    const large = 10n ** 18n
    expect(settle('transfer', large, [eventOf.transfer(large - 10n ** 12n)], null)).toBe(large)
    expect(settle('transfer', large, [eventOf.transfer(large - 10n ** 12n - 1n)], null)).not.toBe(large)
    expect(settle('transfer', 999_999n, [eventOf.transfer(999_998n)], null)).toBe(999_998n)
  })

  test('to oneself moves what its event says', () => {
    const meaning: TokenMeaning = { kind: 'transfer', token, party: from, amount: 5n }
    const own = tokenEvent('transfer', [from, from], 5n)
    expect(settleEffect({ meaning, from, expected: 5n }, [own], balances([9n, 9n], [9n, 9n]))).toBe(5n)
  })

  test('of nothing moves nothing', () => expect(settle('transfer', 0n, [], still)).toBe(0n))
})

describe('an approval', () => {
  test.each([
    ['the amount', 5n, [eventOf.approve(5n)], balances([0n], [5n]), 5n],
    ['the amount, without an event', 5n, [], balances([0n], [5n]), 5n],
    ['the amount, partly used at once', 5n, [eventOf.approve(5n)], balances([0n], [2n]), 5n],
    ['nothing, whatever its event says', 5n, [eventOf.approve(5n)], balances([0n], [0n]), 0n],
    ['what stood before', 5n, [], balances([7n], [7n]), 7n],
    ['nothing, when it revokes', 0n, [eventOf.approve(0n)], balances([7n], [0n]), 0n],
    ['what a revocation left', 0n, [], balances([7n], [7n]), 7n],
    ['the amount by its event, where the state is gone', 5n, [eventOf.approve(5n)], null, 5n],
    ['another amount by its event', 5n, [eventOf.approve(4n)], null, 4n],
    ['nothing that is known', 5n, [], null, 0n],
    ['without limit in 96 bits', maxUint256, [], balances([0n], [2n ** 96n - 1n]), maxUint256],
    ['less than without limit', maxUint256, [], balances([0n], [2n ** 96n - 2n]), 2n ** 96n - 2n],
  ] as const)('has allowed %s', (_, asked, logs, effect, amount) => {
    expect(settle('approve', asked, logs, effect)).toBe(amount)
  })
})
