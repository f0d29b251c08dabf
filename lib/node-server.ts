import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Engine } from './engine.ts'
import { type HostResponse, refuse } from './exchange.ts'
import type { Door } from './gateway.ts'
import { fromNode, type NodeSurroundings, toNode } from './host-node.ts'
import { answerLogin } from './login.ts'
import { base } from './names.ts'
import { makeFor } from './page-caller.ts'

export type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>

export interface NodeServerOptions {
  readonly engine: Engine
  readonly door: Door
  /** Everything that is not ours: Next's handler; null when the gateway runs alone. */
  readonly rest: Listener | null
  /** APP_ORIGIN, where it is set. */
  readonly site: string | null
  /** Told once, when a forwarded-for header comes though no hop is trusted. */
  readonly onForwarded: () => void
}

/** The Node host: `/api/rpc*` is answered here, before Next, whose routes cost a millisecond each. */
export function createNodeServer({ engine, door, rest, site, onForwarded }: NodeServerOptions): {
  readonly server: Server
  /** Answers what is in flight, 503s what comes, and resolves when every connection has ended, at the latest after `msMax`. */
  readonly drain: (msMax: number) => Promise<void>
} {
  let inNext = 0
  let warned = false

  function surroundings(request: IncomingMessage): NodeSurroundings {
    const { rate } = engine.config()
    if (!warned && rate?.trustedHops === 0 && request.headers['x-forwarded-for'] !== undefined) {
      warned = true
      onForwarded()
    }
    return { site, trustedHops: rate?.trustedHops ?? 0, counts: rate !== null }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = resolved(request.url ?? '/')
    // Whoever comes next must read the same path: Next resolves dots, and a path that only it understands leads past this door.
    request.url = url
    if (engine.draining()) response.setHeader('connection', 'close')
    if (isUnder(url, base))
      return reply(await door.answer(fromNode(request, response, surroundings(request))))
    if (engine.draining()) return reply(draining)
    if (isUnder(url, '/api/operator/session'))
      return reply(await answerLogin(fromNode(request, response, { ...surroundings(request), counts: true })))
    if (rest === null) return reply(refuse(404, 'not found'))
    inNext += 1
    response.setTimeout(idleMsMax, () => response.destroy())
    response.once('close', () => {
      inNext -= 1
    })
    // A page reads for its visitor, who pays for that as for any other read.
    const { caller } = fromNode(request, response, surroundings(request))
    return makeFor(caller, () => rest(request, response))

    function reply(answer: HostResponse): void {
      toNode(answer, request, response)
    }
  }

  const server = createServer(
    {
      // The engine gives a body five seconds; these bound what comes before it, and whoever dawdles elsewhere.
      headersTimeout: 10_000,
      requestTimeout: 60_000,
      // Longer than the idle time of common load balancers, which otherwise meet a connection as it closes.
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 5000,
    },
    (request, response) => {
      serve(request, response).catch(() => {
        if (response.headersSent) response.destroy()
        else toNode(refuse(500, 'internal error'), request, response)
      })
    },
  )
  return {
    server,
    async drain(msMax) {
      const answered = engine.drain()
      door.closeStreams()
      const ended = answered
        .then(() => until(() => inNext === 0))
        .then(() => new Promise<void>((resolve) => server.close(() => resolve())))
      await Promise.race([ended, wait(msMax)])
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Next may stream a page for a while; a socket on which nothing moves for so long has nobody behind it. */
const idleMsMax = 120_000

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
