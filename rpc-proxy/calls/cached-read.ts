import type { Chain } from '../chain/chain.ts'
import { pin } from '../heads/pin.ts'
import { rangeOf } from '../methods/block-ref.ts'
import type { MethodSpec } from '../methods/method-spec.ts'
import { andThen, type Soon } from '../runtime/clock.ts'
import { namesGas } from './attempt.ts'
import { proveRead } from './prove-read.ts'
import { outcomeOf, readByQuorum } from './read.ts'
import { headResult } from './scope.ts'
import type { CallResult, ReadScope, ReadServices } from './services.ts'
import { getCached, joinFlight, type ReadKey } from './stored-result.ts'

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
  return proveRead(services, target, scope).then((proven) => {
    if (proven === null) return agreedRead(services, target, scope)
    const { raw, evidence, cache } = proven
    return { outcome: { raw }, evidence, block: target.pinned.block, cache }
  })
}

function agreedRead(services: ReadServices, target: ReadKey, scope: ReadScope): Soon<CallResult> {
  const known = getCached(services, target.key, scope)
  return known === null
    ? joinOrRead(services, target, scope)
    : { outcome: { raw: known.raw }, evidence: known.evidence, block: target.pinned.block, cache: 'hit' }
}

async function joinOrRead(services: ReadServices, target: ReadKey, scope: ReadScope): Promise<CallResult> {
  const { spec, pinned } = target
  const { chain, policy, endMs, trace } = scope
  const { value, cache } = joinFlight(services, target, scope, {
    flightKey: `${target.key}${flightSuffixOf(target)}`,
    run: ({ signal, callers }) =>
      readByQuorum(chain, { spec, pinned, policy, endMs, trace, signal, callers }, services),
  })
  const { result, evidence, namedNumber } = await value
  const outcome = outcomeOf(result, spec, pinned.params)
  // Read your writes: a caller that has seen a receipt or block finds the head at least there.
  if (namedNumber !== null && namedNumber > (chain.heads.current()?.block.number ?? -1))
    await chain.heads.reach(namedNumber, Math.min(chain.stallMs, endMs - services.clock.now()))
  return { outcome, evidence, block: evidence.block, cache }
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
  return andThen(scope.head(), (head) => headResult(scope.chain, head, 'null'))
}
