import type { Evidence } from '../events/events.ts'
import type { ResultPeers } from '../events/ports.ts'
import { difference, isEmpty, type OperatorSet } from '../quorum/operator-set.ts'
import type { Clock } from '../runtime/clock.ts'
import { majorityTtlMs } from './lifetime.ts'
import { type FoundAgreement, resultRecord } from './result-record.ts'
import type { Scope } from './services.ts'
import { type Keyed, satisfies } from './share.ts'

/**
 * A result on which another engine with the same nodes agreed, if it satisfies the caller here: it is of our head, and the operators that
 * this engine has never distrusted are a quorum. Never, because an epoch of the other engine means nothing here.
 */
export async function findElsewhere(
  { results, clock }: { readonly results: ResultPeers; readonly clock: Clock },
  { key }: Keyed,
  { chain, policy }: Scope,
): Promise<FoundAgreement | null> {
  const text = await results.find({ chain: chain.key, key })
  const found = text === null ? undefined : resultRecord.safeParse(JSON.parse(text)).data
  if (found === undefined || found.evidence.chainId !== chain.config.id) return null
  const leftMs = found.untilMs - clock.now()
  if (leftMs <= 0 || leftMs > majorityTtlMs) return null
  if (found.head !== null && found.head !== chain.heads.current()?.block.hash) return null
  const distrusted = (operators: OperatorSet) => difference(operators, chain.trust.believed(operators, -1))
  const [operators, essential] = [found.operators as OperatorSet, found.essential as OperatorSet]
  const left = difference(operators, distrusted(operators))
  if (!isEmpty(distrusted(essential)) || !satisfies(chain, left, policy)) return null
  return {
    result: { raw: found.raw },
    evidence: found.evidence as unknown as Evidence,
    operators: left,
    essential,
    isOffChain: false,
    namedNumber: found.namedNumber,
    untilMs: found.untilMs,
  }
}
