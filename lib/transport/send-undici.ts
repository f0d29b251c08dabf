import type { LookupFunction } from 'node:net'
import { type Agent, type buildConnector, Client, type Dispatcher, Pool } from 'undici'
import { type Send, SendFault } from '#rpc-proxy'
import { WaitingQuota } from '../limits/waiting-quota.ts'
import { collectReply } from './collect-reply.ts'
import { createProxiedAgent, type Proxies } from './outbound-proxy.ts'
import { IdleConnectionClosed, PinnedConnection } from './pinned-connection.ts'
import { sendHeaders } from './send-headers.ts'
import { connectionAgeMsMax, connectMsMax, socketOptions } from './socket-options.ts'
import { acceptEncoding } from './unpack.ts'

/** Connections to one origin. Further requests wait for a free one. */
const connectionsMax = 128
/** How long an idle connection is kept, unless the node says otherwise. */
const idleMs = 10_000

export interface UndiciOptions {
  /** Limits the memory of all replies that are being received. */
  readonly replies?: WaitingQuota
  /** Finds the addresses of names. */
  readonly lookup?: LookupFunction
  /** An older connection gets no further requests, so that a name that moves is followed under traffic. */
  readonly ageMsMax?: number
  /** The proxies to go through. */
  readonly proxies?: Proxies | null
  /** How long a connection may take to be made. */
  readonly connectMs?: number
}

interface Target {
  readonly origin: string
  readonly pool: Dispatcher
  readonly path: string
}

/**
 * The Node host's network: a pool of kept-alive connections per origin. A load balancer may close an idle connection just when
 * a request is sent on it. An idempotent request is then sent again on a new connection. Others (transactions) are sent once,
 * on a new connection of their own, which cannot have been idle.
 */
export class UndiciNetwork {
  readonly #replies: WaitingQuota
  readonly #ageMsMax: number
  readonly #limits: Client.Options
  // URLs come only from the configuration, so both maps grow by reloads only.
  readonly #pools = new Map<string, Pool>()
  readonly #targets = new Map<string, Target>()
  /** Connections for one request each. */
  readonly #singleUse = new Set<Client>()
  /** With proxies: for requests that share connections, and for those that get one of their own. */
  readonly #proxied: { readonly pooled: Dispatcher; readonly alone: Dispatcher } | null

  constructor({
    replies = new WaitingQuota(),
    lookup = socketOptions.lookup,
    connectMs = connectMsMax,
    ageMsMax = connectionAgeMsMax,
    proxies = null,
  }: UndiciOptions = {}) {
    this.#replies = replies
    this.#ageMsMax = ageMsMax
    this.#limits = {
      keepAliveTimeout: idleMs,
      // Longer than the engine's own deadlines: a fallback for requests without a signal.
      headersTimeout: 130_000,
      bodyTimeout: 130_000,
      connectTimeout: connectMs,
      connect: { ...socketOptions, lookup },
      allowH2: false,
    }
    this.#proxied = proxies === null ? null : this.#createProxied(proxies)
  }

  readonly send: Send = (request) =>
    new Promise((resolve, reject) => {
      if (request.signal.aborted) return reject(new SendFault('cancelled'))
      const { origin, pool, path } = this.#targetOf(request.url)
      const { headers, body, idempotent } = request
      const options = { method: 'POST', origin, path, headers: headerList(headers), body } as const
      const sendAlone = () =>
        this.#sendAlone(origin, options, collectReply(request, this.#replies, { resolve, reject }))
      if (!idempotent) return sendAlone()
      const recover = (cause: Error) => {
        if (!(cause instanceof IdleConnectionClosed)) return false
        sendAlone()
        return true
      }
      pool.dispatch(options, collectReply(request, this.#replies, { resolve, reject, recover }))
    })

  /** Closes every connection; requests in flight fail. */
  readonly close = async (): Promise<void> => {
    const proxied = this.#proxied === null ? [] : Object.values(this.#proxied)
    await Promise.all([...this.#pools.values(), ...this.#singleUse, ...proxied].map((each) => each.destroy()))
  }

  #targetOf(url: string): Target {
    const known = this.#targets.get(url)
    if (known !== undefined) return known
    const { origin, pathname, search } = new URL(url)
    const target = { origin, pool: this.#proxied?.pooled ?? this.#poolOf(origin), path: pathname + search }
    this.#targets.set(url, target)
    return target
  }

  #poolOf(origin: string): Pool {
    const known = this.#pools.get(origin)
    if (known !== undefined) return known
    const pool = this.#createPool(origin, this.#limits)
    this.#pools.set(origin, pool)
    return pool
  }

  #createPool(origin: string | URL, options: Pool.Options): Pool {
    return new Pool(origin, {
      ...options,
      connections: connectionsMax,
      clientTtl: this.#ageMsMax,
      factory: (at, given) => new PinnedConnection(at, given),
    })
  }

  #createProxied(proxies: Proxies) {
    const { connect, ...limits } = this.#limits
    const options = { ...limits, connect: connect as buildConnector.BuildOptions }
    return {
      pooled: createProxiedAgent(proxies, options, (origin, given) => this.#createPool(origin, given)),
      alone: createProxiedAgent(proxies, options),
    }
  }

  /** Sends on a new connection, which is closed after the reply. */
  #sendAlone(origin: string, options: Agent.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    if (this.#proxied !== null) {
      this.#proxied.alone.dispatch({ ...options, reset: true }, handler)
      return
    }
    const connection = new Client(origin, this.#limits)
    this.#singleUse.add(connection)
    connection.dispatch(options, handler)
    void connection.close().finally(() => this.#singleUse.delete(connection))
  }
}

const lists = new WeakMap<Readonly<Record<string, string>>, string[]>()

/** A node's headers as a flat list, undici's fastest form. Cached, because a node passes the same object each time. */
function headerList(headers: Readonly<Record<string, string>>): string[] {
  const known = lists.get(headers)
  if (known !== undefined) return known
  const list = Object.entries({ 'accept-encoding': acceptEncoding, ...sendHeaders(headers) }).flat()
  lists.set(headers, list)
  return list
}
