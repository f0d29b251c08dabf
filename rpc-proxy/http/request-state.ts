import { callerKey } from '../admission/caller.ts'
import type { KeyedCaller } from '../admission/keyed-caller.ts'
import type { Services } from '../calls/services.ts'
import type { Chain } from '../chain/chain.ts'
import type { CallRecord, RequestRecord } from '../events/events.ts'
import type { GatewayRequest, GatewayResponse } from './gateway-request.ts'

/** What is known of a request while it is answered: the record that its observers get. */
export interface RequestState extends RequestRecord {
  readonly caller: string | null
  /** Whose key it has. */
  readonly keyed: KeyedCaller | null
  endMs: number
  status: number
  batch: boolean
  calls: readonly CallRecord[]
}

export function begin(
  request: Pick<GatewayRequest, 'path' | 'header' | 'caller'>,
  { clock, traceOf }: Pick<Services, 'clock' | 'traceOf'>,
  { chains, keyed }: { readonly chains: ReadonlyMap<number, Chain>; readonly keyed: KeyedCaller | null },
): RequestState {
  const chainId = chainIdOf(request.path)
  const traceparent = traceparentOf(request.header)
  return {
    startMs: clock.now(),
    endMs: 0,
    status: 0,
    caller: keyed?.budgetKey ?? (request.caller === null ? null : callerKey(request.caller)),
    keyed,
    chainId: chainId !== null && chains.has(chainId) ? chainId : null,
    batch: false,
    traceparent,
    trace: traceOf?.(traceparent) ?? null,
    calls: [],
  }
}

/** Tells the observers of a request that has its response, and returns that. */
export function end(
  services: Pick<Services, 'clock' | 'emit'>,
  request: RequestState,
  response: GatewayResponse,
): GatewayResponse {
  request.endMs = services.clock.now()
  request.status = response.status
  services.emit({ type: 'request', request })
  return response
}

/** Whether a body is JSON-RPC by its type: `application/json`, and the two older names that geth takes as well. */
export function isJson(contentType: string | null): boolean {
  return contentType !== null && /^application\/json(?:-rpc|request)?[ \t]*(;|$)/i.test(contentType.trim())
}

/** The chain that a path names; null where it names none. */
function chainIdOf(path: string): number | null {
  const text = /\/([1-9]\d{0,15})\/?$/.exec(path)?.[1]
  return text === undefined ? null : Number(text)
}

/**
 * The parent that W3C Trace Context names, as version 00 writes it. A later version is read by what it shares with 00: its
 * first 55 characters, whatever follows them after a dash, and of the flags "sampled" alone.
 */
export function traceparentOf(read: (name: string) => string | null): string | null {
  const text = read('traceparent')
  if (text === null) return null
  const [, version, ids, flags = '', more] = traceparentShape.exec(text) ?? []
  if (version === undefined || version === 'ff') return null
  if (version === '00') return more === '' ? text : null
  return `00-${ids}-0${Number.parseInt(flags, 16) & 1}`
}

const traceparentShape =
  /^([0-9a-f]{2})-((?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16})-([0-9a-f]{2})((?:-.*)?)$/
