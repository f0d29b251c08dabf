import { CallError } from '../runtime/errors.ts'
import type { Services } from './services.ts'

/** An unexpected error is a breach: the caller is told no details, the operator is told all of them. */
export function callErrorOf(thrown: unknown, { emit }: Services, chainId: number): CallError {
  if (thrown instanceof CallError) return thrown
  const detail = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : 'something was thrown'
  emit({ type: 'breach', chainId, invariant: 'no surprise', detail })
  return new CallError('breach', { detail })
}
