import type { CallObject } from '../methods/call-object.ts'
import { intrinsicGas } from '../methods/intrinsic-gas.ts'
import type { MethodSpec } from '../methods/method-spec.ts'
import { revertMessage } from '../methods/revert-reason.ts'
import { CallError } from '../runtime/errors.ts'
import type { ReadResult } from './read.ts'
import { rejectionText } from './rejections.ts'
import type { CallResult } from './services.ts'

/** What a caller reads of an agreement: the result, or the agreed revert or refusal as an error in geth's words. */
export function outcomeOf(
  result: ReadResult,
  rule: MethodSpec,
  params: readonly unknown[],
): CallResult['outcome'] {
  if ('raw' in result) return result
  if ('reverted' in result)
    return {
      error: new CallError('reverted', { message: revertMessage(result.reverted), data: result.reverted })
        .error,
    }
  const message = rejectionText(result.rejected)
  const details = result.rejected === 'intrinsic-gas-too-low' ? shortfall(params[0]) : ''
  const { error } = new CallError('refused', { message: `${message}${details}` })
  return { error: { ...error, code: rule.rejectionCodes?.get(result.rejected) ?? error.code } }
}

/** How much gas the call has and needs, where that explains a quorum's refusal. */
function shortfall(target: unknown): string {
  if (typeof target !== 'object' || target === null || !('gas' in target)) return ''
  const call = target as CallObject
  const [have, want] = [Number(call.gas), intrinsicGas(call)]
  return have < want ? `: have ${have}, want ${want}` : ''
}
