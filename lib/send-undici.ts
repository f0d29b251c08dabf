import { Client, type Dispatcher, Pool } from 'undici'
import { type Send, SendFault } from '#rpc-proxy'
import { type ByteBudget, createByteBudget } from './byte-budget.ts'
import { collectReply } from './collect-reply.ts'
import { IdleConnectionClosed, KeptConnection } from './kept-connection.ts'
import { sendHeaders } from './send-headers.ts'
import { acceptEncoding } from './unpack.ts'

export interface UndiciOptions {
  /** Connections to one origin; asks over it wait for one. */
  readonly connectionsMax?: number
  /** How long an idle connection is kept where the node does not say. */
  readonly idleMs?: number
  /** What all replies on their way may fill. */
  readonly budget?: ByteBudget
}

interface Target {
  readonly origin: string
  readonly pool: Pool
  readonly path: string
}

/**
 * The Node host's network: one pool of kept connections per origin. A balancer closes idle connections when it likes, also at
 * the moment at which a request is on its way to it; such a request goes out once more, on a new connection, if it is idempotent.
 * What is not idempotent, a transaction, gets a new connection at once: it goes out once, and no idle connection can lose it.
 */
export function createUndiciSend({
  connectionsMax = 128,
  idleMs = 10_000,
  budget = createByteBudget(),
}: UndiciOptions = {}): {
  readonly send: Send
  /** Ends every connection; what is in flight fails. */
  readonly close: () => Promise<void>
} {
  const pools = new Map<string, Pool>()
  // URLs come from the configuration alone, so both tables grow by a reload at most.
  const targets = new Map<string, Target>()
  /** Connections that serve one request each. */
  const once = new Set<Client>()
  const limits = {
    keepAliveTimeout: idleMs,
    // The engine's own deadlines are shorter; these are for a caller that forgot its signal.
    headersTimeout: 130_000,
    bodyTimeout: 130_000,
    connectTimeout: 10_000,
    allowH2: false,
  }

  function targetOf(url: string): Target {
    const known = targets.get(url)
    if (known !== undefined) return known
    const { origin, pathname, search } = new URL(url)
    const pool =
      pools.get(origin) ??
      new Pool(origin, {
        ...limits,
        connections: connectionsMax,
        factory: (at, options) => new KeptConnection(at, options),
      })
    pools.set(origin, pool)
    const target = { origin, pool, path: pathname + search }
    targets.set(url, target)
    return target
  }

  /** Sends over a connection of its own, which ends with the answer. */
  function sendAlone(
    origin: string,
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ) {
    const connection = new Client(origin, limits)
    once.add(connection)
    connection.dispatch(options, handler)
    void connection.close().finally(() => once.delete(connection))
  }

  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        if (request.signal.aborted) return reject(new SendFault('cancelled'))
        const { origin, pool, path } = targetOf(request.url)
        const { headers, body, idempotent } = request
        const options = { method: 'POST', path, headers: headerList(headers), body } as const
        const alone = () => sendAlone(origin, options, collectReply(request, budget, { resolve, reject }))
        if (!idempotent) return alone()
        const recover = (cause: Error) => {
          if (!(cause instanceof IdleConnectionClosed)) return false
          alone()
          return true
        }
        pool.dispatch(options, collectReply(request, budget, { resolve, reject, recover }))
      }),
    close: async () => {
      await Promise.all([...pools.values(), ...once].map((each) => each.destroy()))
    },
  }
}

const lists = new WeakMap<Readonly<Record<string, string>>, string[]>()

/** A node's headers as the flat list that undici takes fastest; nodes send the same object each time. */
function headerList(headers: Readonly<Record<string, string>>): string[] {
  const known = lists.get(headers)
  if (known !== undefined) return known
  const list = Object.entries({ 'accept-encoding': acceptEncoding, ...sendHeaders(headers) }).flat()
  lists.set(headers, list)
  return list
}
