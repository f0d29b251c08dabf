import type { CacheEntry, CacheScope } from '../cache/cache.ts'
import type { Chain } from '../chain/chain.ts'
import type { Evidence } from '../events/events.ts'
import { PackedEvidence } from '../evidence/packed-evidence.ts'
import { pin } from '../heads/pin.ts'
import { rangeOf } from '../methods/block-ref.ts'
import type { MethodSpec } from '../methods/method-spec.ts'
import { isQuorum, weightOf, withMajority } from '../quorum/electorate.ts'
import { difference, intersection, isEmpty, noOperators, type OperatorSet } from '../quorum/operator-set.ts'
import type { Clock } from '../runtime/clock.ts'
import { outcomeOf } from './caller-outcome.ts'
import { namesGas } from './error-context.ts'
import { lifetimeOf, type Target } from './lifetime.ts'
import { type ReadAgreement, readByQuorum } from './read.ts'
import type { CallResult, Scope, Services } from './services.ts'

interface Keyed {
  /** Under this its answer is known, among those of its chain. */
  readonly key: string
}

/** One read: pins it, then looks in the cache, then joins an identical read in flight, else asks a quorum. */
export async function cachedRead(
  services: Services,
  rule: MethodSpec,
  params: readonly unknown[],
  scope: Scope,
): Promise<CallResult> {
  const { chain, policy } = scope
  const target = await locate(services, rule, params, scope)
  if (target === null) return nothingThere(scope)
  const { pinned, key } = target
  const look = (side: Chain) =>
    services.cache.get(key, cacheScopeOf(side, services.clock), (entry) =>
      satisfies(side, standing(side, entry), policy),
    )
  // What protected calls found is for everybody; what they are told rests on no everyday head and finality.
  const known = look(chain) ?? (policy === 'protected' ? null : look(chain.forProtected))
  if (known !== null)
    return { outcome: { raw: known.raw }, evidence: known.evidence, block: pinned.block, cache: 'hit' }
  const epoch = chain.trust.epoch()
  const question = `${key}${differenceOf({ rule, params, pinned })}|${epoch}`
  const { joined, value } = services
    .singleFlight(chain)
    .share(question, scope, async ({ signal, callers }) => {
      const agreement = await readByQuorum(
        chain,
        { rule, pinned, policy, endMs: scope.endMs, signal, callers, trace: scope.trace },
        services,
      )
      return { ...agreement, evidence: keep(services, chain, { ...target, epoch }, agreement) }
    })
  const { result, evidence, namedNumber } = await value
  await riseTo(chain, namedNumber, scope.endMs - services.clock.now())
  return {
    outcome: outcomeOf(result, rule, pinned.params),
    evidence,
    block: evidence.block,
    cache: joined ? 'shared' : 'miss',
  }
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
function satisfies({ electorates }: Chain, operators: OperatorSet, policy: Scope['policy']): boolean {
  return (
    isQuorum(electorates[policy], operators) ||
    (policy === 'everyday' && isQuorum(electorates.tightened, operators))
  )
}

/** The cache knows nothing of operators, and gives back the sets that `keep` gave it. */
const asSet = (bits: number) => bits as OperatorSet

interface Question extends Pick<Target, 'rule' | 'pinned'> {
  readonly params: readonly unknown[]
}

/**
 * What keeps two reads with one key from sharing a request; empty for the usual one, at a tag. A tag may fall back to the previous
 * block, an explicit number may not, and a range falls back at each end that is a tag.
 */
function differenceOf({ rule, params, pinned }: Question): string {
  const block = pinned.at === null ? '|fixed' : rule.pin === 'range' ? `|${JSON.stringify(params)}` : ''
  return `${block}${namesGas(params) ? '|gas' : ''}`
}

async function locate(
  { clock }: Services,
  rule: MethodSpec,
  params: readonly unknown[],
  { chain, head, endMs }: Scope,
): Promise<(Target & Keyed) | null> {
  const waitMs = () => Math.min(chain.stallMs, endMs - clock.now())
  const finality = (tag: 'safe' | 'finalized') => chain.finality(tag, endMs)
  const pinned = await pin(rule, params, chain.heads, { head, finality, waitMs })
  if (pinned === null) return null
  // Results without a block parameter are keyed by the current head.
  const agreed = rule.keep === 'block' && rule.pin === 'none' ? await head() : null
  const anchor = agreed?.block ?? pinned.block
  if (rule.pin === 'range') rangeOf(rule, pinned.params, chain.config.logsRangeMax)
  return {
    rule,
    pinned,
    anchor,
    key: `${rule.method}|${JSON.stringify(pinned.params)}|${anchor?.hash ?? ''}`,
  }
}

/** Above the agreed head there is no agreed block: the answer is null and rests on that head. */
async function nothingThere({ chain, head }: Scope): Promise<CallResult> {
  const agreed = await head()
  return { outcome: { raw: 'null' }, evidence: chain.headEvidence(agreed), block: agreed.block, cache: null }
}

/** Keeps an answer, where it may serve others, and returns its evidence, packed if it is kept. */
function keep(
  { cache, clock }: Services,
  chain: Chain,
  { key, epoch, ...target }: Target & Keyed & Pick<CacheEntry, 'epoch'>,
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

/** Read your writes: a caller that has seen a receipt or block finds the head at least there. */
async function riseTo(chain: Chain, number: number | null, leftMs: number): Promise<void> {
  if (number !== null && number > (chain.heads.current()?.block.number ?? -1))
    await chain.heads.reach(number, Math.min(chain.stallMs, leftMs))
}
