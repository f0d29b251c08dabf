import type { Chain } from '../chain/chain.ts'
import type { Signal } from '../runtime/abort.ts'
import { header } from '../runtime/names.ts'
import type { Scope } from './services.ts'

/** What the calls of one request have in common, made as it comes in. */
export function scopeOf(
  chain: Chain,
  request: { readonly header: (name: string) => string | null; readonly signal: Signal },
  { startMs, caller, trace }: Pick<Scope, 'caller' | 'trace'> & { readonly startMs: number },
): Scope {
  const endMs = startMs + chain.config.deadlineMs
  const shared = {
    caller,
    trace,
    // Hosts make it when it is first read, and an answer that is known needs none.
    signal: () => request.signal,
    endMs,
  }
  let known: Scope | null = null
  const forProtected = () => {
    known ??= { ...shared, ...blocksOf(chain.forProtected, endMs), policy: 'protected', forProtected }
    return known
  }
  return request.header(header.protect) === '1'
    ? forProtected()
    : { ...shared, ...blocksOf(chain, endMs), policy: 'everyday', forProtected }
}

/** The chain, and one head of it for all calls. */
function blocksOf(chain: Chain, endMs: number): Pick<Scope, 'chain' | 'head'> {
  let head: ReturnType<Scope['head']> | null = null
  return {
    chain,
    head() {
      head ??= chain.head(endMs)
      return head
    },
  }
}
