import type { CacheEntry, CacheScope } from '../cache/cache.ts'
import type { FlightScope, Joined } from '../cache/single-flight.ts'
import type { Chain } from '../chain/chain.ts'
import type { PinnedBlock } from '../events/evidence-types.ts'
import { storedEvidence } from '../evidence/build.ts'
import type { Pinned } from '../heads/pin.ts'
import { blockRefsOf } from '../methods/block-ref.ts'
import type { MethodSpec } from '../methods/method-spec.ts'
import {
  difference,
  intersection,
  isEmpty,
  isQuorum,
  noOperators,
  type OperatorSet,
  weightOf,
  withMajority,
} from '../quorum/electorate.ts'
import type { Clock } from '../runtime/clock.ts'
import type { ReadAgreement, ReadScope, ReadServices } from './services.ts'

/** A read, and the key of its result. */
export interface ReadKey {
  readonly spec: MethodSpec
  /** Canonical, with the tags that the caller wrote. */
  readonly params: readonly unknown[]
  readonly pinned: Pinned
  /** The block that its answer depends on; null where the params name one by hash. */
  readonly anchor: PinnedBlock | null
  /** The key of its result, within the chain. */
  readonly key: string
}

/** The cached result of this key, if it is strong enough for the caller; else null. */
export function getCached(
  services: ReadServices,
  key: string,
  { chain, policy }: Pick<ReadScope, 'chain' | 'policy'>,
): CacheEntry | null {
  const getOn = (side: Chain) =>
    services.cache.get(key, cacheScopeOf(side, services.clock), (entry) =>
      meetsPolicy(side, stillTrusted(side, entry), policy),
    )
  // Everyday calls may have what protected calls found. Protected calls get nothing that was read at an everyday head.
  return getOn(chain) ?? (chain.under && getOn(chain.under.protected))
}

interface FlightOptions {
  /** Reads of one key are identical. */
  readonly flightKey: string
  readonly run: (flight: FlightScope) => Promise<ReadAgreement>
}

/** Joins an identical read in flight, else reads, and stores what may serve others. */
export function joinFlight(
  services: ReadServices,
  target: ReadKey,
  waiter: Pick<ReadScope, 'chain' | 'endMs' | 'caller' | 'signal'>,
  { flightKey, run }: FlightOptions,
): Joined<ReadAgreement> {
  const { chain } = waiter
  const epoch = chain.trust.epoch()
  return services.singleFlight(chain).joinOrRun(flightKey, waiter, {
    epoch,
    run: async (flight) => storeResult(services, chain, { target, epoch, agreement: await run(flight) }),
  })
}

/** The operators behind a cached result that are still trusted; none where these alone would not have been enough to cache it. */
function stillTrusted(chain: Chain, entry: CacheEntry): OperatorSet {
  const { trust, electorate, electorates } = chain
  const { isOfMajority, epoch } = entry
  const operators = asSet(entry.operators)
  const indispensable = asSet(entry.indispensable)
  const left = trust.believed(operators, epoch)
  const isWhole = trust.believed(indispensable, epoch) === indispensable
  if (left === operators && isWhole) return operators
  const isEnough = isOfMajority
    ? isQuorum(withMajority(electorate), left) || isQuorum(electorates.tightened, left)
    : meetsPolicy(chain, left, 'everyday')
  return isWhole && isEnough ? left : noOperators
}

/** Whether these operators are enough for a caller of this policy. A tightened quorum, witnesses included, is for an everyday one. */
function meetsPolicy({ electorates }: Chain, operators: OperatorSet, policy: ReadScope['policy']): boolean {
  return (
    isQuorum(electorates[policy], operators) ||
    (policy === 'everyday' && isQuorum(electorates.tightened, operators))
  )
}

/** The cache does not know what an operator set is: it returns those that `storeResult` has put in. */
const asSet = (bits: number) => bits as OperatorSet

interface ToStore extends Pick<CacheEntry, 'epoch'> {
  readonly target: ReadKey
  readonly agreement: ReadAgreement
}

/** Stores an agreement, where it may serve others, and returns it, with the evidence that was stored. */
function storeResult(
  { cache, clock }: Pick<ReadServices, 'cache' | 'clock'>,
  chain: Chain,
  { target, epoch, agreement }: ToStore,
): ReadAgreement {
  const { result, indispensable } = agreement
  const { key } = target
  const suspects = chain.suspects.now()
  const operators = difference(agreement.operators, suspects)
  const isBelieved =
    meetsPolicy(chain, operators, 'everyday') && isEmpty(intersection(indispensable, suspects))
  if (!isBelieved || !('raw' in result)) return agreement
  const lifetime = lifetimeOf(chain, target, agreement, { operators, nowMs: clock.now() })
  if (lifetime === null) return agreement
  const { raw } = result
  const { head, untilMs, isOfMajority } = lifetime
  const evidence = storedEvidence(agreement.evidence, raw)
  const weight = (each: OperatorSet) => weightOf(chain.electorates.tightened, each)
  cache.set(
    key,
    cacheScopeOf(chain, clock),
    { raw, operators, indispensable, epoch, head, untilMs, isOfMajority, evidence },
    (known) => weight(stillTrusted(chain, known)) > weight(operators),
  )
  return evidence === agreement.evidence ? agreement : { ...agreement, evidence }
}

function cacheScopeOf({ key, heads }: Chain, clock: Clock): CacheScope {
  return { chain: key, head: heads.current()?.block.hash ?? null, nowMs: clock.now() }
}

/** How long an answer is kept: until there is another head, or until a time (epoch milliseconds). */
interface Lifetime {
  readonly head: string | null
  readonly untilMs: number | null
  /** It is cached for that long because more than half of all weight agrees on it. */
  readonly isOfMajority: boolean
}

/**
 * How long a result is cached that nothing on the chain can change, milliseconds: one of less than a strict majority, and one of more.
 * A quorum may consist of liars, and a result that is never read again is never refuted, so it must expire.
 */
const minorityTtlMs = 60_000
const majorityTtlMs = 600_000

/**
 * How long a result is cached; null where it is not. For a time where nothing can change it any more, by a block's hash or in a final
 * block. Else until the next head: a result about state does not show whether its nodes were on another branch for a moment.
 */
function lifetimeOf(
  chain: Chain,
  { spec, pinned, anchor }: ReadKey,
  { result, evidence, isOffChain, namedNumber }: ReadAgreement,
  { operators, nowMs }: { readonly operators: OperatorSet; readonly nowMs: number },
): Lifetime | null {
  if (spec.cachePolicy === 'never' || isOffChain || !('raw' in result) || result.raw === 'null') return null
  // A stalled node may have the logs that these nodes lack, or settle a field on which they differ.
  if (evidence.ruleId === 'everybody-agrees' || evidence.ruleId === 'joined') return null
  if (isEmptyList(result.raw) && !isKnownByHash(chain, spec, pinned.params)) return null
  // The nodes were behind or the chain has moved, and it was read at another block than the key says.
  if (evidence.block?.number !== pinned.block?.number || evidence.block?.hash !== pinned.block?.hash)
    return null
  const number =
    spec.cachePolicy === 'inclusion' ? (namedNumber ?? Number.POSITIVE_INFINITY) : (anchor?.number ?? null)
  const isSettled = number === null ? !requiresCanonical(pinned.params) : isFinal(chain, number)
  if (isSettled && !evidence.isThin) {
    const isOfMajority =
      isQuorum(withMajority(chain.electorate), operators) || isQuorum(chain.electorates.tightened, operators)
    return { head: null, untilMs: nowMs + (isOfMajority ? majorityTtlMs : minorityTtlMs), isOfMajority }
  }
  const head = chain.heads.current()
  return spec.cachePolicy === 'inclusion' || anchor?.hash == null || head === null
    ? null
    : { head: head.block.hash, untilMs: null, isOfMajority: false }
}

/**
 * Nodes that lack a block answer its hash with an empty list, as if it had no logs. Only the agreed header, whose bloom an
 * empty list was held against, tells the two apart.
 */
function isKnownByHash({ heads }: Chain, spec: MethodSpec, params: readonly unknown[]): boolean {
  return blockRefsOf(spec, params).every(
    (ref) => !('hash' in ref) || heads.agreed.blockOf(ref.hash)?.logsBloom != null,
  )
}

function isEmptyList(raw: string): boolean {
  return /^\s*\[\s*\]\s*$/.test(raw)
}

/** A block that is named by its hash never changes, but it may stop being canonical. */
function requiresCanonical(params: readonly unknown[]): boolean {
  return params.some((param) => (param as { requireCanonical?: unknown } | null)?.requireCanonical === true)
}

/** No reorg reaches it. */
function isFinal({ heads }: Chain, number: number): boolean {
  return number <= (heads.current('finalized')?.block.number ?? -1)
}
