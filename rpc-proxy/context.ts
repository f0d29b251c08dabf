import type { Pinned } from './heads/pin.ts'
import type { Rule } from './methods/rule.ts'
import type { ErrorContext } from './upstreams/errors/rule.ts'

/** Whether the caller decides how much work the call is, or how large its answer: all but fixed reads at an agreed block. */
function isChosen({ isFixed, pin }: Rule, { params, block }: Pinned): boolean {
  return isFixed?.(params) !== true || (pin !== 'none' && block?.hash == null)
}

/** What a read lets a node's error mean. */
export function contextOf(rule: Rule, pinned: Pinned, gasGiven: boolean): ErrorContext {
  return {
    executes: rule.executes,
    sends: false,
    gasGiven,
    ranges: rule.pin === 'range',
    chosen: isChosen(rule, pinned),
    atBlock: pinned.block !== null,
  }
}
