import { maxUint256 } from 'viem'
import type { DescribedAmount } from './call-display.ts'
import { type Change, isApproval } from './changes.ts'
import { isRounded } from './effect.ts'
import { isSameAllowance } from './meaning.ts'
import type { Plan, PlannedCall } from './plan.ts'

type Amount = DescribedAmount & { readonly units: bigint }

/** The simulation `takes` from the account, `gives` to it or `allows` others to take what the description does not say. */
export interface Contradiction {
  readonly kind: 'takes' | 'gives' | 'allows'
  /** As simulated. */
  readonly found: Amount
  /** Of the same token, as described; none where the description does not name it. */
  readonly described: readonly Amount[]
}

/**
 * Where the simulation contradicts the descriptors of a plan. What a call without one does is not known beforehand, so beside it
 * nothing contradicts.
 */
export function contradictionsOf({
  calls,
  changes,
}: Pick<Plan, 'calls' | 'changes'>): readonly Contradiction[] {
  const isUnknown = calls.some(({ meaning, display }) => meaning.kind === 'call' && !display)
  if (isUnknown || calls.every(({ display }) => !display)) return []
  return (changes ?? []).flatMap((change) => contradictionOf(change, calls) ?? [])
}

function contradictionOf(change: Change, calls: readonly PlannedCall[]): Contradiction | null {
  const { kind, before, after } = change
  // Approvals of items have a warning of their own.
  if (kind === 'item' || kind === 'collection') return null
  const token = kind === 'coin' ? null : change.token
  const label = change.label
  if (kind === 'allowance' || kind === 'permit2') {
    const described = amountsOf(calls, 'approve').filter((amount) => isOf(amount, token))
    const isNamed = described.some(({ units }) => isSameAllowance(after, units) || after - before === units)
    return isApproval(change) && !isNamed
      ? { kind: 'allows', found: { token, label, units: after }, described }
      : null
  }
  const described = amountsOf(calls, 'transfer').filter((amount) => isOf(amount, token))
  const units = after > before ? after - before : before - after
  const found = { token, label, units }
  if (after > before) {
    const isNamed = described.some(
      (amount) => units >= amount.units || isAll(amount) || isRounded(units, amount.units),
    )
    return isNamed ? null : { kind: 'gives', found, described }
  }
  const sum = described.reduce((all, amount) => all + amount.units, 0n)
  const isNamed = described.some((amount) => isAll(amount) || isRounded(units, amount.units))
  return isNamed || isRounded(units, sum) ? null : { kind: 'takes', found, described }
}

/** What the calls say that they move, or approve. The review itself names the coins that are paid with a call. */
function amountsOf(calls: readonly PlannedCall[], kind: 'approve' | 'transfer'): readonly Amount[] {
  return calls.flatMap(({ meaning, intent, display }): readonly Amount[] => {
    const paid = { token: null, label: null, units: intent.value }
    if (display) return [...display.amounts, ...(intent.value > 0n ? [paid] : [])]
    if (meaning.kind === 'pay') return [paid]
    return meaning.kind === kind
      ? [{ token: meaning.token, label: intent.token ?? null, units: meaning.amount }]
      : []
  })
}

function isAll({ units }: Amount): boolean {
  return units === maxUint256
}

function isOf(amount: Amount, token: string | null): boolean {
  return amount.token?.toLowerCase() === token?.toLowerCase()
}
