import { z } from 'zod'
import type { CacheResult } from '../events/events.ts'
import type { ResultPeers } from '../events/ports.ts'
import type { Lifetime } from './lifetime.ts'
import type { ReadAgreement } from './read.ts'

/** What one engine keeps of a result for the others. */
export const resultRecord = z.object({
  raw: z.string(),
  operators: z.int().nonnegative(),
  essential: z.int().nonnegative(),
  namedNumber: z.int().nullable(),
  head: z.string().nullable(),
  untilMs: z.number(),
  evidence: z.looseObject({ id: z.string(), chainId: z.int(), startMs: z.number() }),
})

/** An agreement that another engine came to, and until when it counts. */
export interface FoundAgreement extends ReadAgreement {
  readonly untilMs: number
  readonly cache: Extract<CacheResult, 'hit' | 'shared'>
}

/** A result that goes with a head is of no use for longer. */
const headMsMax = 30_000

/** Who waited for a result that is not kept takes it at once or not at all. */
const waitingMsMax = 2_000

/** Gives the others what this engine keeps itself. */
export function keepForOthers(
  results: ResultPeers,
  { chain, key, nowMs }: { readonly chain: string; readonly key: string; readonly nowMs: number },
  agreement: ReadAgreement,
  { head, untilMs }: Lifetime,
): void {
  const endMs = untilMs ?? nowMs + headMsMax
  const text = textOf(agreement, head, endMs)
  if (text !== null) results.keep({ chain, key }, text, endMs - nowMs)
}

/** For engines that wait for it, which share it as calls in flight share it here: at this head, whether it is kept or not. */
export function recordForWaiting(
  agreement: ReadAgreement,
  head: string | null,
  nowMs: number,
): string | null {
  return agreement.isOffChain ? null : textOf(agreement, head, nowMs + waitingMsMax)
}

/** Null for what is no result. */
function textOf(
  { result, operators, essential, namedNumber, evidence }: ReadAgreement,
  head: string | null,
  untilMs: number,
): string | null {
  if (!('raw' in result)) return null
  return JSON.stringify({ raw: result.raw, operators, essential, namedNumber, head, untilMs, evidence })
}
