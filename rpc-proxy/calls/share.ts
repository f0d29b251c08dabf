import type { CacheEntry, CacheScope } from '../cache/cache.ts'
import type { FlightScope } from '../cache/single-flight.ts'
import type { Chain } from '../chain/chain.ts'
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
  /** What keeps two reads with one key from sharing a round; empty for the usual one. */
  readonly flightSuffix: string
}

/** What is kept under this key and strong enough for the caller; null where there is nothing. */
export function getCached(services: Services, key: string, { chain, policy }: Scope): CacheEntry | null {
  const getOn = (side: Chain) =>
    services.cache.get(key, cacheScopeOf(side, services.clock), (entry) =>
      meetsPolicy(side, stillTrusted(side, entry), policy),
    )
  // What protected calls found is for everybody; what they are told rests on no everyday head and finality.
  return getOn(chain) ?? (policy === 'protected' ? null : getOn(chain.forProtected))
}

/** Joins an identical read in flight, else reads, and keeps what may serve others. */
export function share(
  services: Services,
  target: Keyed,
  scope: Scope,
  read: (flight: FlightScope) => Promise<ReadAgreement>,
): { readonly joined: boolean; readonly value: Promise<ReadAgreement> } {
  const { chain } = scope
  const epoch = chain.trust.epoch()
  return services
    .singleFlight(chain)
    .share(`${target.key}${target.flightSuffix}|${epoch}`, scope, async (flight) =>
      storeResult(services, chain, { target, epoch, agreement: await read(flight) }),
    )
}

/**
 * The operators that are behind a kept result still; none where, without those whose word counts no more, it would not have
 * been kept as it was.
 */
function stillTrusted(chain: Chain, entry: CacheEntry): OperatorSet {
  const { trust, electorate, electorates } = chain
  const { isOfMajority, epoch } = entry
  const operators = asSet(entry.operators)
  const essential = asSet(entry.essential)
  const left = trust.believed(operators, epoch)
  const isWhole = trust.believed(essential, epoch) === essential
  if (left === operators && isWhole) return operators
  const isStanding = isOfMajority
    ? isQuorum(withMajority(electorate), left) || isQuorum(electorates.tightened, left)
    : meetsPolicy(chain, left, 'everyday')
  return isWhole && isStanding ? left : noOperators
}

/** Whether these operators are enough for a caller of this policy. A tightened quorum, witnesses included, is for an everyday one. */
export function meetsPolicy(
  { electorates }: Chain,
  operators: OperatorSet,
  policy: Scope['policy'],
): boolean {
  return (
    isQuorum(electorates[policy], operators) ||
    (policy === 'everyday' && isQuorum(electorates.tightened, operators))
  )
}

/** The cache knows nothing of operators, and gives back the sets that `storeResult` gave it. */
const asSet = (bits: number) => bits as OperatorSet

interface ToStore extends Pick<CacheEntry, 'epoch'> {
  readonly target: Keyed
  readonly agreement: ReadAgreement
}

/** Keeps an agreement, where it may serve others, and returns it, with its evidence packed if it is kept. */
function storeResult(
  { cache, clock }: Services,
  chain: Chain,
  { target, epoch, agreement }: ToStore,
): ReadAgreement {
  const { result, evidence, essential } = agreement
  const { key } = target
  const suspects = chain.suspects.now()
  const operators = difference(agreement.operators, suspects)
  const isBelieved = meetsPolicy(chain, operators, 'everyday') && isEmpty(intersection(essential, suspects))
  const lifetime = isBelieved ? lifetimeOf(chain, target, { ...agreement, operators }, clock.now()) : null
  if (lifetime === null || !('raw' in result)) return agreement
  const packed = new PackedEvidence(evidence, result.raw)
  const weight = (each: OperatorSet) => weightOf(chain.electorates.tightened, each)
  cache.set(
    key,
    cacheScopeOf(chain, clock),
    { raw: result.raw, operators, essential, epoch, ...lifetime, evidence: packed },
    (known) => weight(stillTrusted(chain, known)) > weight(operators),
  )
  return { ...agreement, evidence: packed }
}

function cacheScopeOf({ key, heads }: Chain, clock: Clock): CacheScope {
  return { chain: key, head: heads.current()?.block.hash ?? null, nowMs: clock.now() }
}
