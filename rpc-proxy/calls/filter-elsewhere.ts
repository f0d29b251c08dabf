import { z } from 'zod'
import type { Chain } from '../chain/chain.ts'
import type { Evidence } from '../events/evidence-types.ts'
import type { AnswerElsewhere } from '../events/ports.ts'
import { methodSpec } from '../methods/table.ts'
import { Abort } from '../runtime/abort.ts'
import { CallError, errorNames } from '../runtime/errors.ts'
import { header } from '../runtime/names.ts'
import { callErrorOf } from './call-error.ts'
import { type WatchCall, watch } from './filter.ts'
import { scopeOf } from './scope.ts'
import type { CallResult, Scope, Services } from './services.ts'

/** A longer answer stays where its filter is: all engines would have to carry it. What is left comes with the next poll. */
const answerBytesMax = 512 * 1024
/** A caller may come again when engines may hear each other again. */
const retryAfterMs = 1_000

const filterQuestion = z.object({
  chainId: z.int(),
  method: z.string(),
  id: z.string(),
  caller: z.string().nullable(),
  isProtected: z.boolean(),
  endMs: z.number(),
})
const filterAnswer = z.union([
  z.object({
    raw: z.string(),
    evidence: z.looseObject({ id: z.string(), chainId: z.int() }).nullable(),
  }),
  z.object({
    kind: z.enum(errorNames),
    message: z.string(),
    data: z.unknown().exactOptional(),
    retryAfterMs: z.number().exactOptional(),
  }),
])

/** The answer of the engine that has this filter; null where the call is about none, about one that is here, or one that nobody has. */
export async function watchElsewhere(
  { filters, filterPeers }: Services,
  { method, params: [id] }: WatchCall,
  { chain, caller, policy, endMs }: Scope,
): Promise<CallResult | null> {
  const chainId = chain.config.id
  if (filterPeers === null || typeof id !== 'string' || filters?.has(id, chainId) === true) return null
  const isProtected = policy === 'protected'
  const found = await filterPeers.find({ chainId, method, id, caller, isProtected, endMs }, endMs)
  if (found === 'absent') return null
  // Another engine may still have the filter. "filter not found" would make the caller install a new one and miss events.
  if (found === 'away') throw new CallError('overloaded', { retryAfterMs })
  const { data } = filterAnswer.safeParse(found.answer)
  if (data === undefined) return null
  if ('kind' in data) throw new CallError(data.kind, data)
  return {
    outcome: { raw: data.raw },
    evidence: data.evidence as unknown as Evidence | null,
    block: null,
    cache: null,
    onUndelivered: found.onUndelivered,
  }
}

/** What another engine asks of a filter that is here; null where it is not. Its caller has paid for the call there. */
export function answerForOthers(
  services: Services,
  chains: ReadonlyMap<number, Chain>,
  question: unknown,
  isKnown: Promise<void>,
): (() => Promise<AnswerElsewhere>) | null {
  const { filters } = services
  const { data } = filterQuestion.safeParse(question)
  const chain = chains.get(data?.chainId ?? -1)
  if (filters === null || data === undefined || chain === undefined) return null
  const { method, id, caller, isProtected, endMs } = data
  if (methodSpec(method).strategy !== 'filter' || !filters.has(id, chain.config.id)) return null
  const request = {
    header: (name: string) => (isProtected && name === header.protect ? '1' : null),
    signal: new Abort(),
  }
  const startMs = endMs - chain.config.deadlineMs
  const scope = scopeOf(chain, request, { startMs, caller, trace: null })
  return async () => {
    const bytesMax = Math.min(answerBytesMax, chain.answerBytesMax)
    const call = { method, params: [id], answerBytesMax: bytesMax, isKnown }
    try {
      const { outcome, evidence, onUndelivered = () => {} } = await watch(filters, call, scope, services)
      if ('error' in outcome || outcome.raw.length > call.answerBytesMax)
        throw new CallError('answer-too-large')
      return { answer: { raw: outcome.raw, evidence }, onUndelivered }
    } catch (thrown) {
      const { kind, error, retryAfterMs } = callErrorOf(thrown, services, chain.config.id)
      return { answer: { kind, ...error, ...(retryAfterMs && { retryAfterMs }) }, onUndelivered: () => {} }
    }
  }
}
