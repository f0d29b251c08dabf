import type { LookupFunction } from 'node:net'
import { type Dispatcher, EnvHttpProxyAgent, setGlobalDispatcher } from 'undici'
import { connectMsMax, socketOptions } from './socket-options.ts'

/** Has every `fetch` of this process connect as the Node host does to nodes: those of pages, and the edge host's to its nodes. */
export function setFetchDispatcher(): void {
  setGlobalDispatcher(createFetchDispatcher())
}

export function createFetchDispatcher(lookup: LookupFunction = socketOptions.lookup): Dispatcher {
  return new EnvHttpProxyAgent({
    allowH2: false,
    connectTimeout: connectMsMax,
    connect: { ...socketOptions, lookup },
  })
}
