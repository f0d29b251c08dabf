import { callerKey } from '../admission/caller.ts'
import type { Services } from '../calls/services.ts'
import type { Chain } from '../chain/chain.ts'
import type { CallRecord, RequestRecord, TraceContext } from '../events/events.ts'
import { chainIdOf, traceparentOf } from './envelope.ts'
import type { GatewayRequest, GatewayResponse } from './gateway-request.ts'

/** What is known of a request while it is answered. */
export interface RequestState {
  readonly startMs: number
  readonly chainId: number | null
  readonly traceparent: string | null
  readonly trace: TraceContext | null
  readonly caller: string | null
  batch: boolean
  calls: readonly CallRecord[]
}

export function begin(
  request: Pick<GatewayRequest, 'path' | 'header' | 'caller'>,
  { clock, traceOf }: Services,
  chains: ReadonlyMap<number, Chain>,
): RequestState {
  const chainId = chainIdOf(request.path)
  const traceparent = traceparentOf(request.header)
  return {
    startMs: clock.now(),
    caller: request.caller === null ? null : callerKey(request.caller),
    chainId: chainId !== null && chains.has(chainId) ? chainId : null,
    batch: false,
    traceparent,
    trace: traceOf?.(traceparent) ?? null,
    calls: [],
  }
}

/** Tells the observers of a request that has its response, and returns that. */
export function end(
  services: Services,
  { startMs, chainId, batch, traceparent, trace, calls }: RequestState,
  response: GatewayResponse,
): GatewayResponse {
  const request: RequestRecord = {
    startMs,
    endMs: services.clock.now(),
    chainId,
    batch,
    status: response.status,
    traceparent,
    trace,
    calls,
  }
  services.emit({ type: 'request', request })
  return response
}
