import type { Chain } from '../chain/chain.ts'
import { pin } from '../heads/pin.ts'
import { rangeOf } from '../methods/block-ref.ts'
import type { MethodSpec } from '../methods/method-spec.ts'
import { outcomeOf } from './caller-outcome.ts'
import { namesGas } from './error-context.ts'
import type { Target } from './lifetime.ts'
import { provableIn, readProven } from './proven-read.ts'
import { readByQuorum } from './read.ts'
import type { CallResult, Scope, Services } from './services.ts'
import { type Keyed, look, share } from './share.ts'

/** One read: pins it, then looks in the cache, then joins an identical read in flight, else asks one node for a proof, or a quorum. */
export async function cachedRead(
  services: Services,
  rule: MethodSpec,
  params: readonly unknown[],
  scope: Scope,
): Promise<CallResult> {
  const target = await locate(services, rule, params, scope)
  if (target === null) return nothingThere(scope)
  const provable = provableIn(services, target, scope)
  const proven = provable === null ? null : await readProven(provable, scope)
  return proven ?? agreedRead(services, target, scope)
}

async function agreedRead(services: Services, target: Keyed, scope: Scope): Promise<CallResult> {
  const { rule, pinned, key } = target
  const { chain, policy, endMs, trace } = scope
  const known = look(services, key, scope)
  if (known !== null)
    return { outcome: { raw: known.raw }, evidence: known.evidence, block: pinned.block, cache: 'hit' }
  const { result, evidence, namedNumber, cache } = await share(services, target, scope, (flight) =>
    readByQuorum(chain, { rule, pinned, policy, endMs, trace, ...flight }, services),
  )
  await riseTo(chain, namedNumber, endMs - services.clock.now())
  return { outcome: outcomeOf(result, rule, pinned.params), evidence, block: evidence.block, cache }
}

interface Question extends Pick<Target, 'rule' | 'pinned'> {
  readonly params: readonly unknown[]
}

/**
 * What keeps two reads with one key from sharing a request; empty for the usual one, at `latest`. A tag may fall back to the previous
 * block, or to what it stands for now; an explicit number may not, and a range falls back at each end that is a tag.
 */
function differenceOf({ rule, params, pinned }: Question): string {
  const tag = rule.pin === 'range' ? JSON.stringify(params) : pinned.finality
  const block = pinned.at === null ? '|fixed' : tag === undefined ? '' : `|${tag}`
  return `${block}${namesGas(params) ? '|gas' : ''}`
}

async function locate(
  services: Services,
  rule: MethodSpec,
  params: readonly unknown[],
  scope: Scope,
): Promise<Keyed | null> {
  const { clock } = services
  const { chain, head, endMs } = scope
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
    difference: differenceOf({ rule, params, pinned }),
  }
}

/** Above the agreed head there is no agreed block: the answer is null and rests on that head. */
async function nothingThere({ chain, head }: Scope): Promise<CallResult> {
  const agreed = await head()
  return { outcome: { raw: 'null' }, evidence: chain.headEvidence(agreed), block: agreed.block, cache: null }
}

/** Read your writes: a caller that has seen a receipt or block finds the head at least there. */
async function riseTo(chain: Chain, number: number | null, leftMs: number): Promise<void> {
  if (number !== null && number > (chain.heads.current()?.block.number ?? -1))
    await chain.heads.reach(number, Math.min(chain.stallMs, leftMs))
}
