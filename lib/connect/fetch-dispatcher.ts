import type { LookupFunction } from 'node:net'
import { type Dispatcher, EnvHttpProxyAgent, setGlobalDispatcher } from 'undici'
import { connectMsMax, socketOptions } from './socket-options.ts'

/** Has every `fetch` of this process connect as the Node host does to nodes: those of pages, and the edge host's to its nodes. */
export function setFetchDispatcher(): void {
  setGlobalDispatcher(createFetchDispatcher())
}

/** `lookup` finds the addresses of names; `connectMs` is how long a connection may take to be made. */
export function createFetchDispatcher({
  lookup = socketOptions.lookup,
  connectMs = connectMsMax,
}: {
  readonly lookup?: LookupFunction
  readonly connectMs?: number
} = {}): Dispatcher {
  return new EnvHttpProxyAgent({
    allowH2: false,
    connectTimeout: connectMs,
    connect: { ...socketOptions, lookup },
  })
}
