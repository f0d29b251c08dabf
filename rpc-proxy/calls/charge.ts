import type { MethodSpec } from '../methods/method-spec.ts'
import { andThen, type Soon } from '../runtime/soon.ts'
import type { CallResult, Scope, Services } from './services.ts'

interface Charge {
  readonly rule: MethodSpec
  readonly params: readonly unknown[]
  readonly policy: Scope['policy']
  readonly caller: string | null
}

/** Witnesses are sent a protected call too: its caller pays for them. */
const protectedTimes = 2

/** Answers a call whose caller pays for it: less where no node was asked. Throws CallError where it may not come in. */
export function withCharge(
  { admission }: Services,
  { rule, params, policy, caller }: Charge,
  call: () => Soon<CallResult>,
): Soon<CallResult> {
  const cost = admission.call(rule, params, caller, policy === 'protected' ? protectedTimes : 1)
  return andThen(call(), (result) => {
    if (result.cache === 'hit' || result.cache === 'shared') admission.refund(cost, caller)
    return result
  })
}
