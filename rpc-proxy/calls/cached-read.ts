import type { Chain } from '../chain/chain.ts'
import { pin } from '../heads/pin.ts'
import { rangeOf } from '../methods/block-ref.ts'
import type { MethodSpec } from '../methods/method-spec.ts'
import type { Proven } from '../proving/proof-round.ts'
import { proveRead } from '../proving/prove-read.ts'
import type { ProvableRead } from '../proving/prove-state.ts'
import { noOperators, type OperatorSet } from '../quorum/operator-set.ts'
import { andThen, type Soon } from '../runtime/soon.ts'
import { outcomeOf } from './caller-outcome.ts'
import { namesGas } from './error-context.ts'
import type { Target } from './lifetime.ts'
import { type ReadAgreement, readByQuorum } from './read.ts'
import type { CallResult, Scope, Services } from './services.ts'
import { getCached, type Keyed, share } from './share.ts'

/** One read: pins it, then looks in the cache, then joins an identical read in flight, else asks one node for a proof, or a quorum. */
export function cachedRead(
  services: Services,
  rule: MethodSpec,
  params: readonly unknown[],
  scope: Scope,
): Soon<CallResult> {
  return andThen(locate(services, rule, params, scope), (target) => {
    if (target === null) return aboveHead(scope)
    if (rule.proves === null || scope.chain.config.proofs === 'off')
      return agreedRead(services, target, scope)
    return provenRead(services, target, scope).then((proven) => proven ?? agreedRead(services, target, scope))
  })
}

/** The result by a proof, which is kept and shared as other results are; null where nothing proves it. */
async function provenRead(services: Services, target: Keyed, scope: Scope): Promise<CallResult | null> {
  const { rule, pinned, key } = target
  const read: ProvableRead = {
    ...scope,
    ...{ spec: rule, pinned, key },
    getCached: (key) => getCached(services, key, scope),
    async joinOrProve(key, signal, prove) {
      const proof = { ...target, key, flightSuffix: '' }
      const { joined, value } = share(services, proof, { ...scope, signal }, async (flight) =>
        agreementOf(await prove(flight)),
      )
      const { result, evidence, proof: certified } = await value
      const { raw } = result as { readonly raw: string }
      return { raw, evidence, cache: joined ? 'shared' : 'miss', proof: certified }
    },
  }
  const proven = await proveRead(read, services)
  if (proven === null) return null
  const { raw, evidence, cache } = proven
  return { outcome: { raw }, evidence, block: pinned.block, cache }
}

/** What is proven, on the word of those who stand behind its block. */
function agreementOf({ raw, evidence }: Proven): ReadAgreement {
  return {
    result: { raw },
    evidence,
    operators: evidence.supporters as OperatorSet,
    essential: noOperators,
    isOffChain: false,
    namedNumber: null,
    proof: evidence.proof,
  }
}

function agreedRead(services: Services, target: Keyed, scope: Scope): Soon<CallResult> {
  const known = getCached(services, target.key, scope)
  return known === null
    ? joinOrRead(services, target, scope)
    : { outcome: { raw: known.raw }, evidence: known.evidence, block: target.pinned.block, cache: 'hit' }
}

async function joinOrRead(services: Services, target: Keyed, scope: Scope): Promise<CallResult> {
  const { rule, pinned } = target
  const { chain, policy, endMs, trace } = scope
  const { joined, value } = share(services, target, scope, (flight) =>
    readByQuorum(chain, { rule, pinned, policy, endMs, trace, ...flight }, services),
  )
  const { result, evidence, namedNumber } = await value
  // Read your writes: a caller that has seen a receipt or block finds the head at least there.
  if (namedNumber !== null && namedNumber > (chain.heads.current()?.block.number ?? -1))
    await chain.heads.reach(namedNumber, Math.min(chain.stallMs, endMs - services.clock.now()))
  const cache = joined ? 'shared' : 'miss'
  return { outcome: outcomeOf(result, rule, pinned.params), evidence, block: evidence.block, cache }
}

interface Question extends Pick<Target, 'rule' | 'pinned'> {
  readonly params: readonly unknown[]
}

/**
 * What keeps two reads with one key from sharing a request; empty for the usual one, at `latest`. A tag may fall back to the previous
 * block, or to what it stands for now; an explicit number may not, and a range falls back at each end that is a tag.
 */
function flightSuffixOf({ rule, params, pinned }: Question): string {
  const tag = rule.pin === 'range' ? JSON.stringify(params) : pinned.finality
  const block = pinned.at === null ? '|fixed' : tag === undefined ? '' : `|${tag}`
  return `${block}${namesGas(params) ? '|gas' : ''}`
}

function locate(
  services: Services,
  rule: MethodSpec,
  params: readonly unknown[],
  scope: Scope,
): Soon<Keyed | null> {
  const { clock } = services
  const { chain, head, endMs } = scope
  const waitMs = () => Math.min(chain.stallMs, endMs - clock.now())
  const finality = (tag: 'safe' | 'finalized') => chain.finality(tag, endMs)
  return andThen(pin(rule, params, chain.heads, { head, finality, waitMs }), (pinned) => {
    if (pinned === null) return null
    // Results without a block parameter are keyed by the current head.
    return rule.keep === 'block' && rule.pin === 'none'
      ? andThen(head(), ({ block }) => keyed({ rule, params, pinned }, block, chain))
      : keyed({ rule, params, pinned }, pinned.block, chain)
  })
}

function keyed({ rule, params, pinned }: Question, anchor: Target['anchor'], { config }: Chain): Keyed {
  if (rule.pin === 'range') rangeOf(rule, pinned.params, config.logsRangeMax)
  return {
    rule,
    pinned,
    anchor,
    key: `${rule.method}|${JSON.stringify(pinned.params)}|${anchor?.hash ?? ''}`,
    flightSuffix: flightSuffixOf({ rule, params, pinned }),
  }
}

/** Above the agreed head there is no agreed block: the answer is null and rests on that head. */
function aboveHead({ chain, head }: Scope): Soon<CallResult> {
  return andThen(head(), (agreed) => ({
    outcome: { raw: 'null' },
    evidence: chain.headEvidence(agreed),
    block: agreed.block,
    cache: null,
  }))
}
