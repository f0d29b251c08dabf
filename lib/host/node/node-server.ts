import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { Engine } from '../../engine/engine.ts'
import { type HostResponse, refuse } from '../../http.ts'
import { createHostOutgoing, type Outgoing } from '../../limits/outgoing.ts'
import { enterPipeline } from '../../limits/pipeline.ts'
import { createHostQuota, type Quota } from '../../limits/quota.ts'
import type { HostCounts } from '../../observe/host-counts.ts'
import { authPath, base, keysPath, namesPath, sessionPath } from '../../public-names.ts'
import { badTarget, moveKey, targetOf } from '../../routes/request-target.ts'
import type { Routes } from '../../routes/routes.ts'
import { NodeRequest, type NodeSurroundings } from './host-node.ts'
import { createNextPages, type NextApp, type NextPages } from './next-pages.ts'
import { writeToNodeResponse } from './node-answer.ts'
import { createSockets, isSocketRequest, type Sockets, writeError } from './sockets.ts'

export interface NodeServerOptions {
  readonly engine: Engine
  readonly routes: Routes
  /** Next, for everything else; null when the gateway runs alone. */
  readonly rest: NextApp | null
  /** APP_ORIGIN, if set. */
  readonly site: string | null
  readonly counts: HostCounts
  /** How long an idle connection of a caller is kept. */
  readonly keepAliveMs: number
  /** Called once, when a request has x-forwarded-for although no hop is trusted. */
  readonly onForwarded: () => void
}

/** The Node host. It answers `/api/rpc*` itself, because a Next route costs a millisecond. */
export function createNodeServer(options: NodeServerOptions): {
  readonly server: Server
  /**
   * Finishes the requests in flight, answers new ones with 503, and resolves when every connection is closed, after at most
   * `msMax`.
   */
  readonly drain: (msMax: number) => Promise<void>
} {
  const host = new NodeHost(options)
  const keepAliveTimeout = options.keepAliveMs
  const reloads = options.rest?.reloads
  const server = createServer(
    {
      ...serverOptions,
      keepAliveTimeout,
      shouldUpgradeCallback: (request) =>
        isSocketRequest(request) || (reloads !== undefined && isReload(request)),
    },
    (request, response) => host.answer(request, response),
  )
    .on('connection', (socket) => host.connect(socket))
    .on('upgrade', (request, socket, head) => {
      if (isReload(request)) reloads?.emit('upgrade', request, socket, head)
      else host.upgrade(request, socket, head)
    })
  return { server, drain: (msMax) => drain(server, host, msMax) }
}

const serverOptions: ServerOptions = {
  // The engine limits a body to five seconds. These bound the headers before it, and slow clients of other routes.
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5000,
}

const isReload = ({ url }: IncomingMessage) => url?.startsWith('/_next/') ?? false

async function drain(server: Server, host: NodeHost, msMax: number): Promise<void> {
  const ended = host
    .drain()
    // Answers of this turn leave at its end: a connection is idle, and closed with the server, only after that.
    .then(() => new Promise((resolve) => setImmediate(resolve)))
    .then(() => new Promise<void>((resolve) => server.close(() => resolve())))
  await Promise.race([ended, wait(msMax, undefined, { ref: false })])
  host.endSockets()
  server.close()
  server.closeAllConnections()
}

class NodeHost {
  readonly #options: NodeServerOptions
  readonly #bodies: Quota
  readonly #connections: Quota
  readonly #outgoing: Outgoing
  readonly #pages: NextPages | null
  readonly #sockets: Sockets
  #hasWarned = false

  constructor(options: NodeServerOptions) {
    const { engine, rest, counts, routes } = options
    this.#options = options
    this.#bodies = createHostQuota('openBodies', counts)
    this.#connections = createHostQuota('connections', counts)
    this.#outgoing = createHostOutgoing(counts)
    this.#sockets = createSockets({ engine, counts, admit: routes.admitSocket })
    this.#pages = rest === null ? null : createNextPages(rest, { engine, counts, bodies: this.#bodies })
  }

  /** Limits connections per caller, unless a proxy is trusted: all connections are the proxy's then. */
  connect(socket: Socket): void {
    const { rate } = this.#options.engine.config()
    const caller = rate?.trustedHops === 0 ? (socket.remoteAddress ?? null) : null
    const lease = this.#connections.acquire(1, caller, () => {})
    if (lease === null) socket.destroy()
    else socket.once('close', lease.end)
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    if (!enterPipeline(request, response)) return
    this.#serve(request, response).catch(() => {
      if (response.headersSent) response.destroy()
      else
        writeToNodeResponse(refuse(500, 'internal error'), request, response, {
          outgoing: this.#outgoing,
          caller: null,
        })
    })
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const target = targetOf(request)
    if (target === null) {
      writeError(badTarget, socket)
      return
    }
    moveKey(request, target)
    const hostRequest = new NodeRequest(request, socket, this.#surroundingsOf(request))
    this.#sockets.upgrade(hostRequest, { request, socket, head })
  }

  endSockets(): void {
    this.#sockets.end()
  }

  /** Resolves when the calls in flight are answered, sockets are closed and Next has ended its requests. */
  async drain(): Promise<void> {
    const { engine, routes } = this.#options
    const answered = engine.drain()
    routes.closeStreams()
    await Promise.all([answered, this.#sockets.drain()])
    while (this.#pages !== null && this.#pages.open() > 0) await wait(20)
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { engine, routes } = this.#options
    const target = targetOf(request)
    const url = target && moveKey(request, target)
    // All handlers must read the same path: Next resolves dots, and a path that only Next resolves would bypass these checks.
    request.url = url ?? '/'
    if (engine.draining()) response.setHeader('connection', 'close')
    const hostRequest = new NodeRequest(request, response, this.#surroundingsOf(request))
    const reply = (answer: HostResponse) => {
      // The request may be older than the drain, which waits for its connection to end.
      if (engine.draining()) response.setHeader('connection', 'close')
      writeToNodeResponse(answer, request, response, { outgoing: this.#outgoing, caller: hostRequest.caller })
    }
    if (url === null) return reply(badTarget)
    if (ownPaths.some((path) => isUnder(url, path))) return reply(await routes.answer(hostRequest))
    if (engine.draining()) return reply(draining)
    if (this.#pages === null) return reply(notFound)
    const errorResponse = await this.#pages.serve(hostRequest, { request, response })
    if (errorResponse !== null) reply(errorResponse)
  }

  #surroundingsOf(request: IncomingMessage): NodeSurroundings {
    const { engine, site, onForwarded } = this.#options
    const { rate, callers } = engine.config()
    if (!this.#hasWarned && rate?.trustedHops === 0 && request.headers['x-forwarded-for'] !== undefined) {
      this.#hasWarned = true
      onForwarded()
    }
    const trustedHops = rate?.trustedHops ?? 0
    const counts = rate !== null || callers.length > 0
    return { site, trustedHops, counts, leaseBody: this.#bodies.acquire }
  }
}

const ownPaths = [base, sessionPath, authPath, namesPath, keysPath]

const notFound = refuse(404, 'not found')
const draining = refuse(503, 'draining', { 'retry-after': '1' })

function isUnder(target: string, path: string): boolean {
  if (!target.startsWith(path)) return false
  const next = target[path.length]
  return next === undefined || next === '/' || next === '?'
}
