import type { Protection } from '../admission/contracts.ts'
import { costMin } from '../admission/rate.ts'
import type { Chain } from '../chain/chain.ts'
import type { Head } from '../heads/heads.ts'
import type { MethodSpec } from '../methods/method-spec.ts'
import type { Signal } from '../runtime/abort.ts'
import type { Soon } from '../runtime/clock.ts'
import { header } from '../runtime/names.ts'
import type { SubscribeRequest } from '../subscriptions/subscription.ts'
import type { CallResult, ReadScope, ReadServices } from './services.ts'

interface Request {
  readonly header: (name: string) => string | null
  /** Hosts create it when it is first read: a cache hit needs none. */
  readonly signal: Signal
  readonly subscribing?: SubscribeRequest
}

/** The scope of a request, made as it comes in. */
export function scopeOf(chain: Chain, request: Request, state: RequestStart): Scope {
  const wanted = strictest(state.keyed?.protection ?? null, protectionIn(request.header(header.protect)))
  return new Scope(chain, request, state, { policy: 'everyday', wanted })
}

function protectionIn(text: string | null): Protection | null {
  return text === 'bridge' ? text : text === '1' || text === 'standard' ? 'standard' : null
}

export function strictest(one: Protection | null, other: Protection | null): Protection | null {
  return one === 'bridge' ? one : (other ?? one)
}

interface RequestStart extends Pick<ReadScope, 'caller' | 'trace'> {
  readonly startMs: number
  readonly keyed: { readonly name: string; readonly protection: Protection | null } | null
}

/** What the calls of one request have in common. */
export class Scope implements ReadScope {
  readonly chain: Chain
  readonly policy: ReadScope['policy']
  /** How its caller wants all calls protected. */
  readonly wanted: Protection | null
  /** Whose key the request has. */
  readonly keyed: RequestStart['keyed']
  readonly caller: string | null
  readonly trace: ReadScope['trace']
  readonly endMs: number
  /** Null where the caller has no connection that could be told of anything later. */
  readonly subscribing: SubscribeRequest | null
  readonly #request: Request
  readonly #state: RequestStart
  #head: Soon<Head> | null = null
  #protected: Scope | null = null
  #bridge: Scope | null = null

  constructor(
    chain: Chain,
    request: Request,
    state: RequestStart,
    { policy, wanted }: Pick<Scope, 'policy' | 'wanted'>,
  ) {
    this.chain = chain
    this.policy = policy
    this.wanted = wanted
    this.keyed = state.keyed
    this.caller = state.caller
    this.trace = state.trace
    this.endMs = state.startMs + chain.config.deadlineMs
    this.subscribing = request.subscribing ?? null
    this.#request = request
    this.#state = state
  }

  signal(): Signal {
    return this.#request.signal
  }

  head(): Soon<Head> {
    this.#head ??= this.chain.head(this.endMs)
    return this.#head
  }

  /** The same for protected calls, with the blocks that a protected quorum shows. */
  under(policy: 'protected' | 'bridge'): Scope {
    const { wanted } = this
    const scopeAt = (chain: Chain) => new Scope(chain, this.#request, this.#state, { policy, wanted })
    if (policy === 'protected') {
      this.#protected ??= scopeAt(this.chain.under?.protected ?? this.chain)
      return this.#protected
    }
    this.#bridge ??= scopeAt(this.chain.under?.bridge ?? this.chain)
    return this.#bridge
  }
}

/** The part that a read needs, as a plain object that can be spread. */
export function readScopeOf(scope: Scope): ReadScope {
  const { chain, caller, trace, policy, endMs } = scope
  return { chain, caller, trace, policy, endMs, signal: () => scope.signal(), head: () => scope.head() }
}

/** The same with another deadline, and with a head of its own. */
export function readScopeUntil(endMs: number, scope: Scope): ReadScope {
  return { ...readScopeOf(scope), endMs, head: () => scope.chain.head(endMs) }
}

/** A result that follows from the agreed head alone. */
export function headResult({ headEvidence }: Chain, head: Head, raw: string): CallResult {
  return { outcome: { raw }, evidence: headEvidence(head), block: head.block, cache: null }
}

/** A result of ours, which rests on no vote. */
export function ownResult(raw: string, block: CallResult['block'] = null): CallResult {
  return { outcome: { raw }, evidence: null, block, cache: null }
}

/** Witnesses are sent a protected call too: its caller pays for them. */
const protectedTimes = 2

/** Charges the caller for a call, and returns what it has cost. Throws CallError where it may not come in. */
export function charge(
  { admission }: Pick<ReadServices, 'admission'>,
  { spec, params }: { readonly spec: MethodSpec; readonly params: readonly unknown[] },
  { policy, caller }: Pick<Scope, 'policy' | 'caller'>,
): number {
  return admission.call(spec, params, caller, policy === 'everyday' ? 1 : protectedTimes)
}

/** Refunds a call for which no node was asked, except for the minimum. Returns what it has cost in the end. */
export function refundKnown(
  { admission }: Pick<ReadServices, 'admission'>,
  { cache }: CallResult,
  cost: number,
  caller: string | null,
): number {
  if (cache !== 'hit' && cache !== 'shared') return cost
  admission.refund(cost, caller)
  return Math.min(cost, costMin)
}
