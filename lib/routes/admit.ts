import { CallError, type Config, type Gateway, header, type KeyedCaller } from '#rpc-proxy'
import { judgeOrigin, type OriginRules, type OriginVerdict } from '../config/origin.ts'
import type { HostRequest } from '../http.ts'
import { type Attempts, retryAfterS } from '../operator/attempts.ts'

export interface AdmitOptions extends OriginRules {
  readonly attempts: Pick<Attempts, 'fail'>
}

interface Engine {
  readonly gateway: Pick<Gateway, 'keyed'>
  readonly config: () => Pick<Config, 'anonymous'>
}

/** A request that may come in: from where, and whose key it has. */
export interface Admitted {
  readonly from: OriginVerdict
  /** Null for a caller without a key. */
  readonly keyed: KeyedCaller | null
}

/**
 * Whether a request for JSON-RPC may come in, and whose it is: one of an HTTP call, or one that opens a socket. Its calls are then made
 * in the name of `keyed`, until that has ended. Throws CallError.
 */
export function admit(
  request: Pick<HostRequest, 'method' | 'header' | 'caller'>,
  { gateway, config }: Engine,
  options: AdmitOptions,
): Admitted {
  const from = judgeOrigin(request.header, options)
  const { keyed } = gateway
  const origin = request.header('origin')
  // Browsers send no key before they know that they may send one.
  if (request.method === 'OPTIONS') {
    const isAnyKeys = from === 'foreign' && [...keyed.all()].some((each) => each.mayComeFrom(origin) === true)
    if (from === 'foreign' && !isAnyKeys) throw foreignOrigin(options.site)
    return { from: isAnyKeys ? 'listed' : from, keyed: null }
  }
  const key = keyOf(request, keyed.hasBeenUsed)
  if (key === null) {
    if (from === 'foreign') throw foreignOrigin(options.site)
    if (config().anonymous === 'refused') throw new CallError('no-key')
    return { from, keyed: null }
  }
  const caller = keyed.find(key)
  if (caller === null) {
    if (options.attempts.fail('key', request.caller))
      throw new CallError('too-many-requests', { retryAfterMs: retryAfterS * 1000 })
    throw new CallError('unknown-key')
  }
  const mayCome = caller.mayComeFrom(origin)
  if (mayCome === null && from === 'foreign') throw foreignOrigin(options.site)
  if (mayCome === false || !caller.mayCallFrom(request.caller)) throw new CallError('foreign-key')
  return { from: mayCome === null ? from : 'listed', keyed: caller }
}

/** `x-quorate-key`, where a host has put one of a path too, or a bearer's where there are keys. */
function keyOf({ header: read }: Pick<HostRequest, 'header'>, isBearerRead: boolean): string | null {
  const own = read(header.key)
  if (own !== null || !isBearerRead) return own
  return /^Bearer +(\S+)$/i.exec(read('authorization') ?? '')?.[1] ?? null
}

function foreignOrigin(site: string | null): CallError {
  return site === null
    ? new CallError('foreign-origin', { message: 'origin not allowed; APP_ORIGIN is not set' })
    : new CallError('foreign-origin')
}
