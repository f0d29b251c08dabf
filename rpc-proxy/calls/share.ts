import type { CacheEntry, CacheScope } from '../cache/cache.ts'
import type { FlightScope } from '../cache/single-flight.ts'
import type { Chain } from '../chain/chain.ts'
import type { CacheResult } from '../events/events.ts'
import type { Evidence } from '../events/evidence-types.ts'
import { PackedEvidence } from '../evidence/packed-evidence.ts'
import { isQuorum, weightOf, withMajority } from '../quorum/electorate.ts'
import { difference, intersection, isEmpty, noOperators, type OperatorSet } from '../quorum/operator-set.ts'
import type { Clock } from '../runtime/clock.ts'
import { lifetimeOf, type Target } from './lifetime.ts'
import type { ReadAgreement } from './read.ts'
import type { Scope, Services } from './services.ts'

/** A read, and under which names its answer is known and asked for. */
export interface Keyed extends Target {
  /** Under this its answer is known, among those of its chain. */
  readonly key: string
  /** What keeps two reads with one key from sharing an ask; empty for the usual one. */
  readonly difference: string
}

/** What is kept under this key and strong enough for the caller; null where there is nothing. */
export function look(services: Services, key: string, { chain, policy }: Scope): CacheEntry | null {
  const lookOn = (side: Chain) =>
    services.cache.get(key, cacheScopeOf(side, services.clock), (entry) =>
      satisfies(side, standing(side, entry), policy),
    )
  // What protected calls found is for everybody; what they are told rests on no everyday head and finality.
  return lookOn(chain) ?? (policy === 'protected' ? null : lookOn(chain.forProtected))
}

/** An agreement, and whether it was somebody else's. */
export interface Shared extends ReadAgreement {
  readonly cache: CacheResult
}

/** Joins an identical read in flight, else reads, and keeps what may serve others. */
export async function share(
  services: Services,
  target: Keyed,
  scope: Scope,
  read: (flight: FlightScope) => Promise<ReadAgreement>,
): Promise<Shared> {
  const { chain } = scope
  const epoch = chain.trust.epoch()
  const question = `${target.key}${target.difference}|${epoch}`
  const { joined, value } = services.singleFlight(chain).share(question, scope, async (flight) => {
    const agreement = await read(flight)
    return { ...agreement, evidence: keep(services, chain, { ...target, epoch }, agreement) }
  })
  const agreement = await value
  return { ...agreement, cache: joined ? 'shared' : 'miss' }
}

/**
 * The operators that are behind a kept result still; none where, without those whose word counts no more, it would not have
 * been kept as it was.
 */
function standing(chain: Chain, entry: CacheEntry): OperatorSet {
  const { trust, electorate, electorates } = chain
  const { isOfMajority, epoch } = entry
  const operators = asSet(entry.operators)
  const essential = asSet(entry.essential)
  const left = trust.believed(operators, epoch)
  const isWhole = trust.believed(essential, epoch) === essential
  if (left === operators && isWhole) return operators
  const isStanding = isOfMajority
    ? isQuorum(withMajority(electorate), left) || isQuorum(electorates.tightened, left)
    : satisfies(chain, left, 'everyday')
  return isWhole && isStanding ? left : noOperators
}

/** Whether these operators are enough for a caller of this policy. A tightened quorum, witnesses included, is for an everyday one. */
export function satisfies({ electorates }: Chain, operators: OperatorSet, policy: Scope['policy']): boolean {
  return (
    isQuorum(electorates[policy], operators) ||
    (policy === 'everyday' && isQuorum(electorates.tightened, operators))
  )
}

/** The cache knows nothing of operators, and gives back the sets that `keep` gave it. */
const asSet = (bits: number) => bits as OperatorSet

/** Keeps an answer, where it may serve others, and returns its evidence, packed if it is kept. */
function keep(
  { cache, clock }: Services,
  chain: Chain,
  { key, epoch, ...target }: Keyed & Pick<CacheEntry, 'epoch'>,
  agreement: ReadAgreement,
): Evidence {
  const { result, evidence, essential } = agreement
  const suspects = chain.suspects.now()
  const operators = difference(agreement.operators, suspects)
  const isBelieved = satisfies(chain, operators, 'everyday') && isEmpty(intersection(essential, suspects))
  const lifetime = isBelieved ? lifetimeOf(chain, target, { ...agreement, operators }, clock.now()) : null
  if (lifetime === null || !('raw' in result)) return evidence
  const packed = new PackedEvidence(evidence, result.raw)
  const weight = (each: OperatorSet) => weightOf(chain.electorates.tightened, each)
  cache.set(
    key,
    cacheScopeOf(chain, clock),
    { raw: result.raw, operators, essential, epoch, ...lifetime, evidence: packed },
    (known) => weight(standing(chain, known)) > weight(operators),
  )
  return packed
}

function cacheScopeOf({ key, heads }: Chain, clock: Clock): CacheScope {
  return { chain: key, head: heads.current()?.block.hash ?? null, nowMs: clock.now() }
}
