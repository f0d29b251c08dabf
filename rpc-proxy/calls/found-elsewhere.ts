import type { Evidence } from '../events/evidence-types.ts'
import type { ResultPeers } from '../events/ports.ts'
import { difference, isEmpty, type OperatorSet } from '../quorum/operator-set.ts'
import { majorityTtlMs } from './lifetime.ts'
import type { ReadAgreement } from './read.ts'
import { type FoundAgreement, recordForWaiting, resultRecord } from './result-record.ts'
import type { Scope, Services } from './services.ts'
import { type Keyed, satisfies } from './share.ts'

/** The share of its time that a call may wait for another engine; in the rest it is read here. */
const waitingShare = 0.5

/** What another engine has agreed on or is about to agree on, else what `read` brings, for the others too. */
export async function foundOrRead(
  { results, cache, clock }: Pick<Services, 'cache' | 'clock'> & { readonly results: ResultPeers },
  target: Keyed,
  scope: Scope,
  read: () => Promise<ReadAgreement>,
): Promise<ReadAgreement | FoundAgreement> {
  const { rule, key } = target
  const place = { chain: scope.chain.key, key }
  // What was agreed on before a deep reorg is of another chain, final blocks included.
  const found = (text: string | null) => {
    const agreement = agreementIn(text, scope, clock.now())
    return agreement !== null && agreement.evidence.startMs > cache.forgottenMs(scope.chain.key)
      ? agreement
      : null
  }
  if (rule.keep === 'never') return read()
  const untilMs = clock.now() + (scope.endMs - clock.now()) * waitingShare
  const { text, isAwaited, onEnd } = await results.findOrLead(place, untilMs)
  const known = found(text)
  let agreement: ReadAgreement | FoundAgreement | null = known && {
    ...known,
    cache: isAwaited ? 'shared' : 'hit',
  }
  try {
    agreement ??= await read()
    return agreement
  } finally {
    const head = () => scope.chain.heads.current()?.block.hash ?? null
    onEnd(() => agreement && recordForWaiting(agreement, head(), clock.now()))
  }
}

/**
 * A result on which another engine with the same nodes agreed, if it satisfies the caller here: it is of our head, and the operators that
 * this engine has never distrusted are a quorum. Never, because an epoch of the other engine means nothing here.
 */
function agreementIn(
  text: string | null,
  { chain, policy }: Scope,
  nowMs: number,
): Omit<FoundAgreement, 'cache'> | null {
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
