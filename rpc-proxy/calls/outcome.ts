import type { CallObject } from '../methods/call-object.ts'
import { intrinsicGas } from '../methods/intrinsic-gas.ts'
import { revertMessage } from '../methods/revert-reason.ts'
import type { Rule } from '../methods/rule.ts'
import { CallError } from '../runtime/errors.ts'
import type { Said } from './read.ts'
import { refusalText } from './refusals.ts'
import type { Answer } from './services.ts'

/** What a caller reads of an agreement: the result, or the agreed revert or refusal as an error in geth's words. */
export function outcomeOf(said: Said, rule: Rule, params: readonly unknown[]): Answer['outcome'] {
  if ('raw' in said) return said
  if ('revert' in said)
    return {
      error: new CallError('reverted', { message: revertMessage(said.revert), data: said.revert }).error,
    }
  const message = refusalText(said.refusal)
  const details = said.refusal === 'intrinsic-gas-too-low' ? shortfall(params[0]) : ''
  const { error } = new CallError('refused', { message: `${message}${details}` })
  return { error: { ...error, code: rule.refusalCodes?.get(said.refusal) ?? error.code } }
}

/** How much gas the call has and needs, where that explains a quorum's refusal. */
function shortfall(target: unknown): string {
  if (typeof target !== 'object' || target === null || !('gas' in target)) return ''
  const call = target as CallObject
  const [have, want] = [Number(call.gas), intrinsicGas(call)]
  return have < want ? `: have ${have}, want ${want}` : ''
}
