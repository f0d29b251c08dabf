import { CallError } from './errors.ts'
import type { Evidence } from './events.ts'
import type { Filters } from './filters/filters.ts'
import { readHeader } from './heads/read-header.ts'
import { hexOf } from './methods/block-ref.ts'
import type { LogFilter } from './methods/log-filter.ts'
import type { Answer, Scope } from './services.ts'
import type { Call } from './wire/types.ts'

/** What a filter asks of the chain. */
interface Sight {
  /** A block by its number, in hex, as a header. */
  readonly block: (number: string, scope: Scope) => Promise<Answer>
  /** Logs, as the caller would ask for them. */
  readonly logs: (filter: LogFilter, scope: Scope) => Promise<Answer>
  /** Nodes were asked for a block: the caller pays for it. */
  readonly paid: () => void
}

/** A block further below the head than so many is read by its number alone. */
const linkedMax = 128

/** The filter methods. */
export async function watch(
  filters: Filters<Evidence | null>,
  { method, params }: Omit<Call, 'id'>,
  scope: Scope,
  { block, logs, paid }: Sight,
): Promise<Answer> {
  const { chain } = scope
  // A filter looks at the chain as it is now, and so at another head than the rest of its batch may.
  const now: Scope = { ...scope, head: () => chain.head(scope.endMs) }
  async function readAt(number: number): Promise<string | null> {
    const answer = await block(hexOf(number), now).catch(orNotFound)
    if (answer === null) return null
    if (answer.cache === 'miss') paid()
    const raw = rawOf(answer)
    const header = readHeader(raw)
    if (header !== null) chain.heads.learn(header)
    return (JSON.parse(raw) as { hash: string } | null)?.hash ?? null
  }

  const { raw, proof, onUndelivered } = await filters.answer(method, params, {
    chainId: chain.config.id,
    caller: scope.caller,
    logsRangeMax: chain.config.logsRangeMax,
    answerBytesMax: chain.answerBytesMax,
    head: async () => (await chain.head(scope.endMs)).block,
    async hashAt(number) {
      const { heads } = chain
      // After a reorg to a lower head there is no such block, so no node is asked.
      if (number > (heads.current()?.block.number ?? -1)) return heads.hashAt(number)
      const lowest = heads.lowest()
      // Blocks between are read once for all filters: each names its parent, and so the head is known to stand on them.
      if (number < lowest && number > lowest - linkedMax)
        await Promise.all(heads.unreadFrom(number).map(readAt))
      return heads.hashAt(number) ?? readAt(number)
    },
    async logs(filter) {
      const answer = await logs(filter, now)
      const { evidence } = answer
      return { raw: rawOf(answer), proof: evidence, isSure: evidence?.ruleId !== 'everybody-agrees' }
    },
  })
  return { outcome: { raw }, evidence: proof, block: null, cache: null, onUndelivered }
}

function rawOf({ outcome }: Answer): string {
  if ('error' in outcome)
    throw new CallError('breach', { detail: `a look for a filter: ${outcome.error.message}` })
  return outcome.raw
}

function orNotFound(thrown: unknown): null {
  if (thrown instanceof CallError && thrown.kind === 'block-not-found') return null
  throw thrown
}
