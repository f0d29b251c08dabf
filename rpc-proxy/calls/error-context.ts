import type { Heads } from '../heads/heads.ts'
import type { Pinned } from '../heads/pin.ts'
import type { MethodSpec } from '../methods/method-spec.ts'
import type { ErrorContext } from '../upstreams/errors/error-pattern.ts'

/** Whether the caller decides how much work the call is, or how large its answer: all but fixed reads at a recent agreed block. */
function isCallerControlled(
  { isFixed, pin }: MethodSpec,
  { params, block }: Pinned,
  heads: Pick<Heads, 'lowest'>,
): boolean {
  const isRecent = block?.hash != null && block.number >= heads.lowest()
  return isFixed?.(params) !== true || (pin !== 'none' && !isRecent)
}

/** Whether the call names its gas. */
export function namesGas([target]: readonly unknown[]): boolean {
  return typeof target === 'object' && target !== null && 'gas' in target
}

/** What a read lets a node's error mean. */
export function contextOf(rule: MethodSpec, pinned: Pinned, heads: Pick<Heads, 'lowest'>): ErrorContext {
  return {
    executes: rule.executes,
    sends: false,
    gasGiven: namesGas(pinned.params),
    ranges: rule.pin === 'range',
    callerControlled: isCallerControlled(rule, pinned, heads),
    atBlock: pinned.block !== null,
  }
}
