import type { Filters } from '../filters/filters.ts'
import type { FilterChain } from '../filters/poll.ts'
import { blockFrom, readHeader } from '../heads/headers.ts'
import { hexOf } from '../methods/block-ref.ts'
import type { LogFilter } from '../methods/log-filter.ts'
import { methodSpec } from '../methods/table.ts'
import { CallError } from '../runtime/errors.ts'
import type { Call } from '../wire/types.ts'
import { cachedRead } from './cached-read.ts'
import { charge, readScopeUntil, refundKnown, type Scope } from './scope.ts'
import type { CallResult, ReadScope, ReadServices } from './services.ts'

/** What a block costs that nodes were asked for on behalf of a filter: a header, which all filters then share. */
const filterBlockCost = 1

/** Blocks further below the head than this are read by their number alone. */
const linkedMax = 128

export async function callFilter(
  filters: Filters,
  { method, params }: Omit<Call, 'id'>,
  scope: Scope,
  services: ReadServices,
): Promise<CallResult> {
  // A filter looks at the chain as it is now, and so at another head than the rest of its batch may.
  const now = readScopeUntil(scope.endMs, scope)
  const { raw, evidence, onUndelivered } = await filters.call(method, params, filterChainOf(now, services))
  return { outcome: { raw }, evidence, block: null, cache: null, onUndelivered }
}

/** The agreed chain as filters and subscriptions of this caller see it. */
export function filterChainOf(now: ReadScope, services: ReadServices): FilterChain {
  const { chain, caller, endMs } = now
  async function readAt(number: number): Promise<string | null> {
    const result = await readBlock(number, now, services).catch(orNotFound)
    if (result === null) return null
    if (result.cache === 'miss') services.admission.done(filterBlockCost, caller)
    const raw = rawOf(result)
    const header = readHeader(raw, chain.config.id)
    if (header !== null) chain.heads.learn(blockFrom(header))
    return (JSON.parse(raw) as { hash: string } | null)?.hash ?? null
  }

  return {
    chainId: chain.config.id,
    caller,
    logsRangeMax: chain.config.logsRangeMax,
    answerBytesMax: chain.answerBytesMax,
    head: async () => (await chain.head(endMs)).block,
    async hashAt(number) {
      const { heads } = chain
      // After a reorg to a lower head there is no such block, so no node is asked.
      if (number > (heads.current()?.block.number ?? -1)) return heads.agreed.hashAt(number)
      const lowest = heads.agreed.lowest()
      // Blocks between are read once for all filters: each names its parent, so the head is known to descend from them.
      if (number < lowest && number > lowest - linkedMax)
        await Promise.all(heads.agreed.unreadFrom(number).map(readAt))
      return heads.agreed.hashAt(number) ?? readAt(number)
    },
    async logs(filter) {
      const result = await readLogs(filter, now, services)
      const { evidence } = result
      return { raw: rawOf(result), evidence, isSure: evidence?.ruleId !== 'everybody-agrees' }
    },
  }
}

async function readBlock(number: number, scope: ReadScope, services: ReadServices): Promise<CallResult> {
  return cachedRead(services, methodSpec('eth_getBlockByNumber'), [hexOf(number), false], scope)
}

/** Logs, for which the filter's caller pays as for its own. */
async function readLogs(filter: LogFilter, scope: ReadScope, services: ReadServices): Promise<CallResult> {
  const spec = methodSpec('eth_getLogs')
  const params = spec.parse([filter])
  const cost = charge(services, { spec, params }, scope)
  const result = await cachedRead(services, spec, params, scope)
  refundKnown(services, result, cost, scope.caller)
  return result
}

/** The text of what a filter or a subscription has read. */
export function rawOf({ outcome }: CallResult): string {
  if ('error' in outcome)
    throw new CallError('breach', { detail: `a look for a filter: ${outcome.error.message}` })
  return outcome.raw
}

function orNotFound(thrown: unknown): null {
  if (thrown instanceof CallError && thrown.kind === 'block-not-found') return null
  throw thrown
}
