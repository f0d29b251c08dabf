import { CallError } from './errors.ts'
import type { Evidence } from './events.ts'
import type { Filters } from './filters/filters.ts'
import { hexOf } from './methods/block-ref.ts'
import { noVoteToSpare } from './quorum/verdict.ts'
import type { Answer, Scope } from './rooms.ts'
import type { Call } from './wire/types.ts'

/** The filter methods; `answer` is how any other call is answered. */
export async function watch(
  filters: Filters<Evidence | null>,
  { method, params }: Omit<Call, 'id'>,
  scope: Scope,
  answer: (call: Call, scope: Scope) => Promise<Answer>,
): Promise<Answer> {
  const { chain } = scope
  // A filter looks at the chain as it is now, and so at another head than the rest of its batch may.
  const now: Scope = { ...scope, head: () => chain.head(scope.endMs) }
  const agreed = async (call: Omit<Call, 'id'>): Promise<{ raw: string; proof: Evidence | null }> => {
    const { outcome, evidence } = await answer({ id: undefined, ...call }, now)
    if ('error' in outcome)
      throw new CallError('breach', { detail: `${call.method} for a filter: ${outcome.error.message}` })
    return { raw: outcome.raw, proof: evidence }
  }
  const { raw, proof } = await filters.answer(method, params, {
    chainId: chain.config.id,
    logsRangeMax: chain.config.logsRangeMax,
    head: async () => (await chain.head(scope.endMs)).block,
    async hashAt(number) {
      const known = chain.heads.hashAt(number)
      if (known !== null) return known
      const block = JSON.parse(
        (await agreed({ method: 'eth_getBlockByNumber', params: [hexOf(number), false] })).raw,
      ) as { hash: string } | null
      return block?.hash ?? null
    },
    async logs(filter) {
      const { raw, proof } = await agreed({ method: 'eth_getLogs', params: [filter] })
      return { raw, proof, isSure: proof?.rule !== noVoteToSpare.name }
    },
  })
  return { outcome: { raw }, evidence: proof, block: null, cache: null }
}
