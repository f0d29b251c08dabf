import { callerKey } from '../admission/caller.ts'
import type { Services } from '../calls/services.ts'
import type { Chain } from '../chain/chain.ts'
import type { CallRecord, RequestRecord } from '../events/events.ts'
import { chainIdOf, traceparentOf } from './envelope.ts'
import type { GatewayRequest, GatewayResponse } from './gateway-request.ts'

/** What is known of a request while it is answered: the record that its observers get. */
export interface RequestState extends RequestRecord {
  readonly caller: string | null
  endMs: number
  status: number
  batch: boolean
  calls: readonly CallRecord[]
}

export function begin(
  request: Pick<GatewayRequest, 'path' | 'header' | 'caller'>,
  { clock, traceOf }: Pick<Services, 'clock' | 'traceOf'>,
  chains: ReadonlyMap<number, Chain>,
): RequestState {
  const chainId = chainIdOf(request.path)
  const traceparent = traceparentOf(request.header)
  return {
    startMs: clock.now(),
    endMs: 0,
    status: 0,
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
  services: Pick<Services, 'clock' | 'emit'>,
  request: RequestState,
  response: GatewayResponse,
): GatewayResponse {
  request.endMs = services.clock.now()
  request.status = response.status
  services.emit({ type: 'request', request })
  return response
}
