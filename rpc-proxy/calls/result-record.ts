import { z } from 'zod'
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
}

/** A result that goes with a head is of no use for longer. */
const headMsMax = 30_000

/** Gives the others what this engine keeps itself. */
export function keepForOthers(
  results: ResultPeers,
  { chain, key, nowMs }: { readonly chain: string; readonly key: string; readonly nowMs: number },
  { result, operators, essential, namedNumber, evidence }: ReadAgreement,
  { head, untilMs }: Lifetime,
): void {
  if (!('raw' in result)) return
  const endMs = untilMs ?? nowMs + headMsMax
  const { raw } = result
  const text = JSON.stringify({ raw, operators, essential, namedNumber, head, untilMs: endMs, evidence })
  results.keep({ chain, key }, text, endMs - nowMs)
}
