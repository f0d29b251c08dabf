import type { Chain } from '../chain/chain.ts'
import type { Head } from '../heads/heads.ts'
import type { Signal } from '../runtime/abort.ts'
import { header } from '../runtime/names.ts'
import type { Soon } from '../runtime/soon.ts'
import type { SubscribeRequest } from '../subscriptions/subscription.ts'
import type { ReadScope, Scope } from './services.ts'

interface Request {
  readonly header: (name: string) => string | null
  /** Hosts make it when it is first read, and an answer that is known needs none. */
  readonly signal: Signal
  readonly subscribing?: SubscribeRequest
}

/** What the calls of one request have in common, made as it comes in. */
export function scopeOf(chain: Chain, request: Request, state: RequestStart): Scope {
  const everyday = new RequestScope(chain, request, state)
  const isProtected = state.keyed?.isProtected || request.header(header.protect) === '1'
  return isProtected ? everyday.forProtected() : everyday
}

interface RequestStart extends Pick<Scope, 'caller' | 'trace'> {
  readonly startMs: number
  readonly keyed: { readonly isProtected: boolean } | null
}

class RequestScope implements Scope {
  readonly chain: Chain
  readonly policy: Scope['policy']
  readonly caller: string | null
  readonly trace: Scope['trace']
  readonly endMs: number
  readonly subscribing: SubscribeRequest | null
  readonly #request: Request
  readonly #state: RequestStart
  #head: Soon<Head> | null = null
  #forProtected: Scope | null = null

  constructor(chain: Chain, request: Request, state: RequestStart, policy: Scope['policy'] = 'everyday') {
    this.chain = chain
    this.policy = policy
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

  forProtected(): Scope {
    if (this.policy === 'protected') return this
    this.#forProtected ??= new RequestScope(this.chain.forProtected, this.#request, this.#state, 'protected')
    return this.#forProtected
  }
}

/** What a read needs of it, to be spread. */
export function readScopeOf(scope: Scope): ReadScope {
  const { chain, caller, trace, policy, endMs } = scope
  return { chain, caller, trace, policy, endMs, signal: () => scope.signal(), head: () => scope.head() }
}
