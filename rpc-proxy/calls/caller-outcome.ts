import type { CallObject } from '../methods/call-object.ts'
import { intrinsicGas } from '../methods/intrinsic-gas.ts'
import type { MethodSpec } from '../methods/method-spec.ts'
import { revertMessage } from '../methods/revert-reason.ts'
import { CallError } from '../runtime/errors.ts'
import type { RejectionClass } from '../wire/types.ts'
import type { CallResult, ReadResult } from './services.ts'

/** What a caller reads of an agreement: the result, or the agreed revert or refusal as an error in geth's words. */
export function outcomeOf(
  result: ReadResult,
  spec: MethodSpec,
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
  return { error: { ...error, code: spec.rejectionCodes?.get(result.rejected) ?? error.code } }
}

/** How much gas the call has and needs, where that explains a quorum's refusal. */
function shortfall(target: unknown): string {
  if (typeof target !== 'object' || target === null || !('gas' in target)) return ''
  const call = target as CallObject
  const [have, want] = [Number(call.gas), intrinsicGas(call)]
  return have < want ? `: have ${have}, want ${want}` : ''
}

type NamedRejection = Exclude<RejectionClass, `gas-allowance ${number}`>

/** geth's words, by which clients know them; where a client matches other words, those as well. */
const texts: Readonly<Record<NamedRejection, string>> = {
  'insufficient-funds': 'insufficient funds for gas * price + value',
  'nonce-too-low': 'nonce too low',
  'nonce-too-high': 'nonce too high',
  'replacement-underpriced': 'replacement transaction underpriced',
  'fee-too-low':
    'transaction underpriced: max fee per gas less than block base fee, or tip below the minimum',
  'tip-above-fee-cap': 'max priority fee per gas higher than max fee per gas',
  'intrinsic-gas-too-low': 'intrinsic gas too low',
  'exceeds-block-gas-limit': 'exceeds block gas limit: gas limit reached',
  oversized: 'oversized data',
  'initcode-too-large': 'max initcode size exceeded',
  'type-not-supported': 'transaction type not supported: transaction type not valid',
  'creation-without-data': 'contract creation without any data provided',
  'block-number-order': 'block numbers must be in order',
  'block-timestamp-order': 'block timestamps must be in order',
  'precompile-moved-to-itself': 'MovePrecompileToAddress referenced itself in replacement',
  'precompile-moved-twice': 'multiple MovePrecompileToAddress reference the same address to replace',
  'sender-not-eoa': 'sender is not an EOA',
  'vm-halt': 'execution halted: out of gas or invalid instruction',
}

/** What a caller reads of a refusal. */
export function rejectionText(rejection: RejectionClass): string {
  const named: Readonly<Record<string, string | undefined>> = texts
  return named[rejection] ?? `gas required exceeds allowance (${rejection.split(' ')[1]})`
}
