import type { LookupFunction } from 'node:net'
import { Client, type Dispatcher, Pool } from 'undici'
import { type Send, SendFault } from '#rpc-proxy'
import { type ByteBudget, createByteBudget } from './byte-budget.ts'
import { collectReply } from './collect-reply.ts'
import { connectMsMax, socketOptions } from './connect/socket-options.ts'
import { IdleConnectionClosed, KeptConnection } from './kept-connection.ts'
import { sendHeaders } from './send-headers.ts'
import { acceptEncoding } from './unpack.ts'

export interface UndiciOptions {
  /** Connections to one origin. Further requests wait for a free one. */
  readonly connectionsMax?: number
  /** How long an idle connection is kept, unless the node says otherwise. */
  readonly idleMs?: number
  /** Limits the memory of all replies that are being received. */
  readonly budget?: ByteBudget
  /** Finds the addresses of names. */
  readonly lookup?: LookupFunction
}

/**
 * The Node host's network: a pool of kept-alive connections per origin. A load balancer may close an idle connection just when
 * a request is sent on it. An idempotent request is then sent again on a new connection. Others (transactions) are sent once,
 * on a new connection of their own, which cannot have been idle.
 */
export function createUndiciSend({
  connectionsMax = 128,
  idleMs = 10_000,
  budget = createByteBudget(),
  lookup = socketOptions.lookup,
}: UndiciOptions = {}): {
  readonly send: Send
  /** Closes every connection; requests in flight fail. */
  readonly close: () => Promise<void>
} {
  return new UndiciNetwork({ connectionsMax, idleMs, budget, lookup })
}

interface Target {
  readonly origin: string
  readonly pool: Pool
  readonly path: string
}

class UndiciNetwork {
  readonly #budget: ByteBudget
  readonly #connectionsMax: number
  readonly #limits: Client.Options
  // URLs come only from the configuration, so both maps grow by reloads only.
  readonly #pools = new Map<string, Pool>()
  readonly #targets = new Map<string, Target>()
  /** Connections for one request each. */
  readonly #singleUse = new Set<Client>()

  constructor({ connectionsMax, idleMs, budget, lookup }: Required<UndiciOptions>) {
    this.#budget = budget
    this.#connectionsMax = connectionsMax
    this.#limits = {
      keepAliveTimeout: idleMs,
      // Longer than the engine's own deadlines: a fallback for requests without a signal.
      headersTimeout: 130_000,
      bodyTimeout: 130_000,
      connectTimeout: connectMsMax,
      connect: { ...socketOptions, lookup },
      allowH2: false,
    }
  }

  readonly send: Send = (request) =>
    new Promise((resolve, reject) => {
      if (request.signal.aborted) return reject(new SendFault('cancelled'))
      const { origin, pool, path } = this.#targetOf(request.url)
      const { headers, body, idempotent } = request
      const options = { method: 'POST', path, headers: headerList(headers), body } as const
      const sendAlone = () =>
        this.#sendAlone(origin, options, collectReply(request, this.#budget, { resolve, reject }))
      if (!idempotent) return sendAlone()
      const recover = (cause: Error) => {
        if (!(cause instanceof IdleConnectionClosed)) return false
        sendAlone()
        return true
      }
      pool.dispatch(options, collectReply(request, this.#budget, { resolve, reject, recover }))
    })

  readonly close = async (): Promise<void> => {
    await Promise.all([...this.#pools.values(), ...this.#singleUse].map((each) => each.destroy()))
  }

  #targetOf(url: string): Target {
    const known = this.#targets.get(url)
    if (known !== undefined) return known
    const { origin, pathname, search } = new URL(url)
    const target = { origin, pool: this.#poolOf(origin), path: pathname + search }
    this.#targets.set(url, target)
    return target
  }

  #poolOf(origin: string): Pool {
    const known = this.#pools.get(origin)
    if (known !== undefined) return known
    const pool = new Pool(origin, {
      ...this.#limits,
      connections: this.#connectionsMax,
      factory: (at, options) => new KeptConnection(at, options),
    })
    this.#pools.set(origin, pool)
    return pool
  }

  /** Sends on a new connection, which is closed after the reply. */
  #sendAlone(origin: string, options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
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
