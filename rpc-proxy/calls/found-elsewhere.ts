import type { Evidence } from '../events/evidence-types.ts'
import type { ResultPeers } from '../events/ports.ts'
import { difference, isEmpty, type OperatorSet } from '../quorum/operator-set.ts'
import { majorityTtlMs } from './lifetime.ts'
import type { ReadAgreement } from './read.ts'
import { type FoundAgreement, resultRecord } from './result-record.ts'
import type { Scope, Services } from './services.ts'
import { type Keyed, satisfies } from './share.ts'

/** What another engine has agreed on, else what `read` brings. */
export async function foundOrRead(
  { results, cache, clock }: Pick<Services, 'cache' | 'clock'> & { readonly results: ResultPeers },
  { rule, key }: Keyed,
  scope: Scope,
  read: () => Promise<ReadAgreement>,
): Promise<ReadAgreement | FoundAgreement> {
  if (rule.keep === 'never') return read()
  const { key: chain } = scope.chain
  const found = agreementIn(await results.find({ chain, key }), scope, clock.now())
  // What was agreed on before a deep reorg is of another chain, final blocks included.
  return found !== null && found.evidence.startMs > cache.forgottenMs(chain) ? found : read()
}

/**
 * A result on which another engine with the same nodes agreed, if it satisfies the caller here: it is of our head, and the operators that
 * this engine has never distrusted are a quorum. Never, because an epoch of the other engine means nothing here.
 */
function agreementIn(text: string | null, { chain, policy }: Scope, nowMs: number): FoundAgreement | null {
  const found = text === null ? undefined : resultRecord.safeParse(JSON.parse(text)).data
  if (found === undefined || found.evidence.chainId !== chain.config.id) return null
  const leftMs = found.untilMs - nowMs
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
