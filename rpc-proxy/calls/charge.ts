import { costMin } from '../admission/rate.ts'
import type { MethodSpec } from '../methods/method-spec.ts'
import type { CallResult, FilterServices, Scope } from './services.ts'

/** Witnesses are sent a protected call too: its caller pays for them. */
const protectedTimes = 2

/** Charges the caller for a call, and returns what it has cost. Throws CallError where it may not come in. */
export function charge(
  { admission }: Pick<FilterServices, 'admission'>,
  { spec, params }: { readonly spec: MethodSpec; readonly params: readonly unknown[] },
  { policy, caller }: Pick<Scope, 'policy' | 'caller'>,
): number {
  return admission.call(spec, params, caller, policy === 'everyday' ? 1 : protectedTimes)
}

/** Gives back what a call has cost for which no node was asked, all but the least. Returns what it has cost then. */
export function refundKnown(
  { admission }: Pick<FilterServices, 'admission'>,
  { cache }: CallResult,
  cost: number,
  caller: string | null,
): number {
  if (cache !== 'hit' && cache !== 'shared') return cost
  admission.refund(cost, caller)
  return Math.min(cost, costMin)
}
