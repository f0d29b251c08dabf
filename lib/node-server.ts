import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { createDeadlines } from './deadlines.ts'
import type { Engine } from './engine.ts'
import { createHoldings } from './holdings.ts'
import { NodeRequest, type NodeSurroundings } from './host-node.ts'
import { type HostResponse, refuse } from './http.ts'
import { hostLimits } from './limits.ts'
import { authPath, base, sessionPath } from './names.ts'
import { createNextPages, type Listener } from './next-pages.ts'
import { toNode } from './node-answer.ts'
import type { HostCounts } from './observe/host-counts.ts'
import { createOutgoing } from './outgoing.ts'
import type { Routes } from './routes.ts'

export interface NodeServerOptions {
  readonly engine: Engine
  readonly routes: Routes
  /** Everything that is not ours: Next's handler; null when the gateway runs alone. */
  readonly rest: Listener | null
  /** APP_ORIGIN, where it is set. */
  readonly site: string | null
  readonly counts: HostCounts
  /** Told once, when a forwarded-for header comes though no hop is trusted. */
  readonly onForwarded: () => void
}

/** The Node host: `/api/rpc*` is answered here, before Next, whose routes cost a millisecond each. */
export function createNodeServer({ engine, routes, rest, site, counts, onForwarded }: NodeServerOptions): {
  readonly server: Server
  /** Answers what is in flight, 503s what comes, and resolves when every connection has ended, at the latest after `msMax`. */
  readonly drain: (msMax: number) => Promise<void>
} {
  const bodies = createHoldings(hostLimits.openBodies, () => counts.met('openBodies'))
  const answers = createHoldings(hostLimits.outgoing, () => counts.met('outgoing'))
  const connections = createHoldings(hostLimits.connections, () => counts.met('connections'))
  const outgoing = createOutgoing(answers, createDeadlines(), () => counts.met('slowReaders'))
  const pages = rest === null ? null : createNextPages(rest, engine, counts)
  counts.watch('openBodies', bodies.held)
  counts.watch('outgoing', answers.held)
  counts.watch('connections', connections.held)
  let warned = false

  /** Behind a proxy all connections are the proxy's own. */
  function connect(socket: Socket): void {
    const { rate } = engine.config()
    const caller = rate?.trustedHops === 0 ? (socket.remoteAddress ?? null) : null
    const hold = connections.hold(1, caller, () => {})
    if (hold === null) socket.destroy()
    else socket.once('close', hold.end)
  }

  function surroundings(request: IncomingMessage): NodeSurroundings {
    const { rate } = engine.config()
    if (!warned && rate?.trustedHops === 0 && request.headers['x-forwarded-for'] !== undefined) {
      warned = true
      onForwarded()
    }
    return { site, trustedHops: rate?.trustedHops ?? 0, counts: rate !== null, holdBody: bodies.hold }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = resolved(request.url ?? '/')
    // All handlers must read the same path: Next resolves dots, and a path that only Next resolves would bypass these checks.
    request.url = url
    if (engine.draining()) response.setHeader('connection', 'close')
    const asked = new NodeRequest(request, response, surroundings(request))
    if (!url.startsWith('/') || hasTwoHosts(request)) return reply(refuse(400, 'bad request', closing))
    if ([base, sessionPath, authPath].some((path) => isUnder(url, path)))
      return reply(await routes.answer(asked))
    if (engine.draining()) return reply(draining)
    if (pages === null) return reply(refuse(404, 'not found'))
    const refusal = await pages.serve(asked, { request, response })
    if (refusal !== null) reply(refusal)

    function reply(answer: HostResponse): void {
      // The request may be older than the drain, which waits for its connection to end.
      if (engine.draining()) response.setHeader('connection', 'close')
      toNode(answer, request, response, { outgoing, caller: asked.caller })
    }
  }

  const server = createServer(
    {
      // The engine gives a body five seconds; these bound what comes before it, and slow clients of other routes.
      headersTimeout: 10_000,
      requestTimeout: 60_000,
      // Longer than the idle time of common load balancers, which otherwise meet a connection as it closes.
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 5000,
      // Nothing here speaks another protocol. Next listens for upgrades, and leaves the socket of one that it does not know open.
      shouldUpgradeCallback: () => false,
    },
    (request, response) => {
      serve(request, response).catch(() => {
        if (response.headersSent) response.destroy()
        else
          toNode(refuse(500, 'internal error'), request, response, {
            outgoing,
            caller: null,
          })
      })
    },
  ).on('connection', connect)
  return {
    server,
    async drain(msMax) {
      const answered = engine.drain()
      routes.closeStreams()
      const ended = answered
        .then(() => until(() => pages === null || pages.open() === 0))
        // Answers of this turn leave at its end: a connection is idle, and closed with the server, only after that.
        .then(() => new Promise((resolve) => setImmediate(resolve)))
        .then(() => new Promise<void>((resolve) => server.close(() => resolve())))
      await Promise.race([ended, wait(msMax)])
      server.close()
      server.closeAllConnections()
    },
  }
}

const draining = refuse(503, 'draining', { 'retry-after': '1' })

/** A request's target as paths are meant: dots and backslashes resolved, the origin of an absolute one left out. */
function resolved(target: string): string {
  if (plain.test(target)) return target
  // Behind an origin of ours, so that `//host` stays a path.
  const text = target.startsWith('/') ? `http://x${target}` : target
  if (!URL.canParse(text)) return target
  const { pathname, search } = new URL(text)
  return `${pathname}${search}`
}

const closing = { connection: 'close' }

/** RFC 9112 §3.2: two `Host` headers are refused; a proxy may have gone by the other one. Node takes the first. */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}

/** Nearly every target needs no parser. */
const plain = /^(?:\/[\w-]+)+\/?(?:\?|$)/

function isUnder(url: string, path: string): boolean {
  if (!url.startsWith(path)) return false
  const next = url[path.length]
  return next === undefined || next === '/' || next === '?'
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await wait(20)
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}
