import { maxUint256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { createFigures } from '#lib/page/format.ts'
import { tokenCall } from '#lib/token/erc20.ts'
import type { CallDisplay, DescribedAmount } from '#lib/wallet/call-display.ts'
import type { Change } from '#lib/wallet/changes.ts'
import { meaningOf } from '#lib/wallet/meaning.ts'
import type { Plan, PlannedCall } from '#lib/wallet/plan.ts'
import { contradictionWarnings } from '../../../app/_send/warnings.ts'

const from = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const spender = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const label = { symbol: 'DUSD', decimals: 6 }
const unit = 1_000_000n
const dusd = (units: bigint) => ({ token, label, units }) satisfies DescribedAmount
const eth = (units: bigint) => ({ token: null, label: null, units }) satisfies DescribedAmount

const display = (amounts: CallDisplay['amounts']): CallDisplay => ({
  sentence: ['Stake'],
  fields: [],
  omitted: [],
  amounts,
  name: 'stake',
  args: [],
})
function callOf(data: `0x${string}`, described?: CallDisplay, value = 0n): PlannedCall {
  const intent = { chainId: 10, from, to: token, value, data, hasOwners: false, token: label } as const
  return {
    intent,
    meaning: meaningOf(intent),
    toContract: true,
    effect: null,
    ...(described && { display: described }),
  }
}
const moved = (before: bigint, after: bigint): Change => ({ kind: 'balance', token, label, before, after })
const coin = (before: bigint, after: bigint): Change => ({ kind: 'coin', label: null, before, after })
const allowed = (before: bigint, after: bigint): Change => ({
  kind: 'allowance',
  token,
  spender,
  label,
  before,
  after,
})

function warnings(calls: readonly PlannedCall[], changes: readonly Change[] | null) {
  const plan = { calls: calls as unknown as Plan['calls'], changes }
  return contradictionWarnings(plan, {
    figures: createFigures(),
    coin: { symbol: 'ETH', decimals: 18 } as never,
  }).map(({ text, isDanger }) => `${isDanger ? '!' : ''}${text}`)
}
const described = (amounts: CallDisplay['amounts'], changes: readonly Change[] | null, value = 0n) =>
  warnings([callOf('0x12345678', display(amounts), value)], changes)

describe('the review says that the simulation', () => {
  test('takes a token that the description does not name, and names the amount', () => {
    expect(described([], [moved(9n * unit, 4n * unit)])).toEqual([
      '!The description does not say that you pay 5 DUSD. The simulation does.',
    ])
  })

  test('takes another amount than the description says', () => {
    expect(described([dusd(unit)], [moved(9n * unit, 4n * unit)])).toEqual([
      '!The description says 1 DUSD, but the simulation takes 5 DUSD from you.',
    ])
  })

  test('gives less than the description says, or what it does not name', () => {
    expect(described([dusd(5n * unit)], [moved(0n, unit)])).toEqual([
      'The description says 5 DUSD, but the simulation gives you 1 DUSD.',
    ])
    expect(described([], [coin(0n, 10n ** 18n)])).toEqual([
      'The description does not say that you get 1 ETH. The simulation does.',
    ])
  })

  test('lets others take what the description does not say', () => {
    expect(described([], [allowed(0n, maxUint256)])).toEqual([
      '!The description does not say that Unlimited DUSD may be taken from you. The simulation does.',
    ])
    expect(described([dusd(unit)], [allowed(0n, 5n * unit)])).toEqual([
      '!The description says 1 DUSD, but in the simulation 5 DUSD may be taken from you.',
    ])
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
