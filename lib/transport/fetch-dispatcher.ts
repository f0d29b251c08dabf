import type { LookupFunction } from 'node:net'
import { Agent, type Dispatcher } from 'undici'
import { createProxiedAgent, type Proxies } from './outbound-proxy.ts'
import { connectionAgeMsMax, connectMsMax, socketOptions } from './socket-options.ts'

/** `lookup` finds the addresses of names; `connectMs` is how long a connection may take to be made. */
export function createFetchDispatcher({
  lookup = socketOptions.lookup,
  connectMs = connectMsMax,
  proxies = null,
}: {
  readonly lookup?: LookupFunction
  readonly connectMs?: number
  readonly proxies?: Proxies | null
} = {}): Dispatcher {
  const options = {
    allowH2: false,
    clientTtl: connectionAgeMsMax,
    connectTimeout: connectMs,
    connect: { ...socketOptions, lookup },
  }
  return proxies === null ? new Agent(options) : createProxiedAgent(proxies, options)
}
