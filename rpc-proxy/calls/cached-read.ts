import type { FlightScope } from '../cache/single-flight.ts'
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
import { namesGas } from './estimate.ts'
import { readByQuorum } from './read.ts'
import type { CallResult, ReadAgreement, ReadScope, ReadServices } from './services.ts'
import { getCached, type ReadKey, storeResult } from './stored.ts'

/** One read: pins it, then looks in the cache, then joins an identical read in flight, else asks one node for a proof, or a quorum. */
export function cachedRead(
  services: ReadServices,
  spec: MethodSpec,
  params: readonly unknown[],
  scope: ReadScope,
): Soon<CallResult> {
  const target = locate(services, spec, params, scope)
  return target instanceof Promise
    ? target.then((known) => readAt(services, known, scope))
    : readAt(services, target, scope)
}

function readAt(services: ReadServices, target: ReadKey | null, scope: ReadScope): Soon<CallResult> {
  if (target === null) return aboveHead(scope)
  if (target.spec.proves === null || scope.chain.config.proofs === 'off')
    return agreedRead(services, target, scope)
  return provenRead(services, target, scope).then((proven) => proven ?? agreedRead(services, target, scope))
}

/** The result by a proof, which is kept and shared as other results are; null where nothing proves it. */
async function provenRead(
  services: ReadServices,
  target: ReadKey,
  scope: ReadScope,
): Promise<CallResult | null> {
  const { spec, pinned, key } = target
  const { chain, policy, endMs, trace, caller } = scope
  const signal = () => scope.signal()
  const read: ProvableRead = {
    ...{ chain, policy, endMs, trace, signal, spec, pinned, key },
    getCached: (key) => getCached(services, key, scope),
    joinOrProve: (key, signal, prove) =>
      joinFlight(
        services,
        { ...target, key },
        { chain, endMs, caller, signal },
        {
          flightKey: key,
          run: (flight, store) => prove(flight).then((proven) => store(agreementOf(proven))),
          resultOf({ result, evidence, proof: certified }, cache) {
            const { raw } = result as { readonly raw: string }
            return { raw, evidence, cache, proof: certified }
          },
        },
      ),
  }
  const proven = await proveRead(read, services)
  if (proven === null) return null
  const { raw, evidence, cache } = proven
  return { outcome: { raw }, evidence, block: pinned.block, cache }
}

/** A proven result, with the operators behind its block. */
function agreementOf({ raw, evidence }: Proven): ReadAgreement {
  return {
    result: { raw },
    evidence,
    operators: evidence.supporters as OperatorSet,
    indispensable: noOperators,
    isOffChain: false,
    namedNumber: null,
    proof: evidence.proof,
  }
}

function agreedRead(services: ReadServices, target: ReadKey, scope: ReadScope): Soon<CallResult> {
  const known = getCached(services, target.key, scope)
  return known === null
    ? joinOrRead(services, target, scope)
    : { outcome: { raw: known.raw }, evidence: known.evidence, block: target.pinned.block, cache: 'hit' }
}

function joinOrRead(services: ReadServices, target: ReadKey, scope: ReadScope): Promise<CallResult> {
  const { spec, pinned } = target
  const { chain, policy, endMs, trace } = scope
  return joinFlight(services, target, scope, {
    flightKey: `${target.key}${flightSuffixOf(target)}`,
    run: ({ signal, callers }, store) =>
      readByQuorum(chain, { spec, pinned, policy, endMs, trace, signal, callers }, services, store),
    resultOf({ result, evidence, namedNumber }, cache) {
      const outcome = outcomeOf(result, spec, pinned.params)
      const read = { outcome, evidence, block: evidence.block, cache }
      // Read your writes: a caller that has seen a receipt or block finds the head at least there.
      return namedNumber === null || namedNumber <= (chain.heads.current()?.block.number ?? -1)
        ? read
        : chain.heads
            .reach(namedNumber, Math.min(chain.stallMs, endMs - services.clock.now()))
            .then(() => read)
    },
  })
}

interface FlightOptions<Result> {
  /** Reads of one key are identical. */
  readonly flightKey: string
  /** Reads, and stores what may serve others. */
  readonly run: (
    flight: FlightScope,
    store: (agreement: ReadAgreement) => ReadAgreement,
  ) => Promise<ReadAgreement>
  readonly resultOf: (agreement: ReadAgreement, cache: 'shared' | 'miss') => Soon<Result>
}

/** Joins an identical read in flight, else reads. */
function joinFlight<Result>(
  services: ReadServices,
  target: ReadKey,
  waiter: Pick<ReadScope, 'chain' | 'endMs' | 'caller' | 'signal'>,
  { flightKey, run, resultOf }: FlightOptions<Result>,
): Promise<Result> {
  const { chain } = waiter
  const epoch = chain.trust.epoch()
  return services.singleFlight(chain).joinOrRun(flightKey, waiter, {
    epoch,
    run: (flight) => run(flight, (agreement) => storeResult(services, chain, { target, epoch, agreement })),
    resultOf,
  })
}

/**
 * What keeps two reads with one key from sharing a request; empty for the usual one, at `latest`. A tag may fall back to the previous
 * block, or to what it stands for now; an explicit number may not, and a range falls back at each end that is a tag.
 */
function flightSuffixOf({ spec, params, pinned }: ReadKey): string {
  const tag = spec.pin === 'range' ? JSON.stringify(params) : pinned.finality
  const block = pinned.at === null ? '|fixed' : tag === undefined ? '' : `|${tag}`
  return `${block}${namesGas(params) ? '|gas' : ''}`
}

function locate(
  services: ReadServices,
  spec: MethodSpec,
  params: readonly unknown[],
  scope: ReadScope,
): Soon<ReadKey | null> {
  const { chain } = scope
  return andThen(pin(spec, params, scope, services.clock), (pinned) => {
    if (pinned === null) return null
    // Results without a block parameter are keyed by the current head.
    return spec.cachePolicy === 'block' && spec.pin === 'none'
      ? andThen(scope.head(), ({ block }) => keyOf({ spec, params, pinned }, block, chain))
      : keyOf({ spec, params, pinned }, pinned.block, chain)
  })
}

function keyOf(
  { spec, params, pinned }: Pick<ReadKey, 'spec' | 'params' | 'pinned'>,
  anchor: ReadKey['anchor'],
  { config }: Chain,
): ReadKey {
  if (spec.pin === 'range') rangeOf(spec, pinned.params, config.logsRangeMax)
  return {
    spec,
    params,
    pinned,
    anchor,
    key: `${spec.method}|${JSON.stringify(pinned.params)}|${anchor?.hash ?? ''}`,
  }
}

/** Above the agreed head there is no agreed block: the answer is null and rests on that head. */
function aboveHead(scope: ReadScope): Soon<CallResult> {
  const { chain } = scope
  return andThen(scope.head(), (agreed) => ({
    outcome: { raw: 'null' },
    evidence: chain.headEvidence(agreed),
    block: agreed.block,
    cache: null,
  }))
}
