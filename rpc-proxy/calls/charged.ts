import type { MethodSpec } from '../methods/method-spec.ts'
import type { CallResult, Services } from './services.ts'

interface Charge {
  readonly rule: MethodSpec
  readonly params: readonly unknown[]
  readonly caller: string | null
}

/** Answers a call whose caller pays for it: less where no node was asked. Throws CallError where it may not come in. */
export async function charged(
  { admission }: Services,
  { rule, params, caller }: Charge,
  result: () => CallResult | Promise<CallResult>,
): Promise<CallResult> {
  const cost = admission.call(rule, params, caller)
  const answered = await result()
  if (answered.cache === 'hit' || answered.cache === 'shared') admission.refund(cost, caller)
  return answered
}
