import { maxUint256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { createFigures } from '#lib/page/format.ts'
import { plainText } from '#lib/page/plain-text.ts'
import { tokenCall } from '#lib/token/erc20.ts'
import type { CallDisplay, DescribedAmount } from '#lib/wallet/call-display.ts'
import type { Change } from '#lib/wallet/changes.ts'
import { meaningOf } from '#lib/wallet/meaning.ts'
import type { Plan, PlannedCall } from '#lib/wallet/plan.ts'
import { contradictionWarnings } from '../../../app/_send/warnings.ts'
import { own as from, other as spender, token } from './accounts.ts'

const label = { symbol: 'DUSD', decimals: 6 }
const unit = 1_000_000n
const dusd = (units: bigint) => ({ token, label, units }) satisfies DescribedAmount
const eth = (units: bigint) => ({ token: null, label: null, units }) satisfies DescribedAmount

const display = (amounts: CallDisplay['amounts']) => ({
  display: { sentence: ['Stake'], fields: [], omitted: [], amounts, name: 'stake', args: [] },
})
function callOf(data: `0x${string}`, described: Partial<PlannedCall> = {}, value = 0n): PlannedCall {
  const intent = { chainId: 10, from, to: token, value, data, hasOwners: false, token: label } as const
  return { intent, meaning: meaningOf(intent), toContract: true, effect: null, ...described }
}
const moved = (before: bigint, after: bigint): Change => ({ kind: 'balance', token, label, before, after })
const coin = (before: bigint, after: bigint): Change => ({ kind: 'coin', label: null, before, after })
const allowed = (before: bigint, after: bigint): Change => {
  return { kind: 'allowance', token, spender, label, before, after }
}

function warnings(calls: readonly PlannedCall[], changes: readonly Change[] | null) {
  const plan = { calls: calls as unknown as Plan['calls'], changes }
  const wording = { figures: createFigures(), coin: { symbol: 'ETH', decimals: 18 } as never }
  return contradictionWarnings(plan, wording).map(
    ({ text, isDanger }) => (isDanger ? '!' : '') + plainText(text),
  )
}
const described = (amounts: CallDisplay['amounts'], changes: readonly Change[] | null, value = 0n) =>
  warnings([callOf('0x12345678', display(amounts), value)], changes)

describe('the review says that the simulation', () => {
  const paid = moved(9n * unit, 4n * unit)
  const unsaid = (what: string) => `The description does not say that ${what}. The simulation does.`

  test.each<[string, CallDisplay['amounts'], Change]>([
    [`!${unsaid('you pay 5 DUSD')}`, [], paid],
    ['!The description says 1 DUSD, but the simulation takes 5 DUSD from you.', [dusd(unit)], paid],
    ['The description says 5 DUSD, but the simulation gives you 1 DUSD.', [dusd(5n * unit)], moved(0n, unit)],
    [unsaid('you get 1 ETH'), [], coin(0n, 10n ** 18n)],
    [`!${unsaid('Unlimited DUSD may be taken from you')}`, [], allowed(0n, maxUint256)],
    [
      '!The description says 1 DUSD, but in the simulation 5 DUSD may be taken from you.',
      [dusd(unit)],
      allowed(0n, 5n * unit),
    ],
  ])('contradicts: %s', (text, amounts, change) => {
    expect(described(amounts, [change])).toEqual([text])
  })

  test('takes more than the described call of several says, though an approval names as much', () => {
    const approval = callOf(tokenCall('approve', spender, 5n * unit))
    const lie = callOf('0x12345678', display([dusd(unit)]))
    expect(warnings([approval, lie], [moved(9n * unit, 4n * unit)])).toHaveLength(1)
  })
})

describe('nothing contradicts', () => {
  test.each<[string, CallDisplay['amounts'], readonly Change[], bigint?]>([
    ['the described amount', [dusd(5n * unit)], [moved(9n * unit, 4n * unit)]],
    ['what a token that rounds makes of it', [dusd(5n * unit)], [moved(9n * unit, 4n * unit + 1n)]],
    ['all, where the description says all', [dusd(maxUint256)], [moved(9n * unit, 0n)]],
    ['what is got where the description says all', [dusd(maxUint256)], [moved(0n, 9n * unit)]],
    ['the sum of two', [dusd(2n * unit), dusd(3n * unit)], [moved(9n * unit, 4n * unit)]],
    ['more than at least', [dusd(5n * unit), eth(3n)], [moved(9n * unit, 4n * unit), coin(0n, 4n)]],
    ['the coins that the call pays', [], [coin(9n, 4n)], 5n],
    [
      'an allowance as described, and one that grows by as much',
      [dusd(5n)],
      [allowed(0n, 5n), allowed(2n, 7n)],
    ],
    ['an allowance that is used', [dusd(5n)], [moved(9n, 4n), allowed(5n, 0n)]],
  ])('%s', (_, amounts, changes, value) => expect(described(amounts, changes, value)).toEqual([]))

  test('what is not simulated, and a call without a description', () => {
    expect(described([], null)).toEqual([])
    expect(warnings([callOf('0x12345678')], [moved(9n, 4n)])).toEqual([])
    expect(warnings([callOf('0x12345678'), callOf('0x12345678', display([]))], [moved(9n, 4n)])).toEqual([])
  })

  test('approve and stake as described', () => {
    const approval = callOf(tokenCall('approve', spender, 5n * unit))
    const stake = callOf('0x12345678', display([dusd(5n * unit)]))
    expect(warnings([approval, stake], [moved(9n * unit, 4n * unit)])).toEqual([])
  })
})
