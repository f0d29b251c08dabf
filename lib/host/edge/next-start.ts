import { subscribe } from 'node:diagnostics_channel'
import { type IncomingMessage, Server, type ServerResponse } from 'node:http'
import { bodyBytesMax } from '#site'
import { refuse, type TextResponse } from '../../http.ts'
import { boundPassedBody } from '../../limits/passed-body.ts'
import { enterPipeline } from '../../limits/pipeline.ts'
import { base } from '../../public-names.ts'
import { type BuiltApp, readBuiltApp } from '../../routes/built-app.ts'
import { pageError } from '../../routes/page-request.ts'
import { badTarget, moveKey, targetOf } from '../../routes/request-target.ts'

/**
 * Keeps aborted requests out of the log. When `next start` has copied a body, for an edge route or for `proxy.ts`, it replaces
 * the request's methods, and with them the code in Node that ignores aborts: each then prints two stack traces as uncaught
 * errors. The Node host is not affected.
 */
export function quietAborted(): void {
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    // Not earlier, because Next would replace the listener too. A response closes before its request emits the error.
    response.once('close', () => request.on('error', () => {}))
  })
}

/** The signal to exit, with whatever connection is still open; Kubernetes kills after 30 s. */
const exitMsMax = 28_000
/** As `next start` exits by itself. */
const exitCodes = [
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const

/**
 * Ends `next start` after its last answer. At SIGTERM and Ctrl-C its server closes the connections that are idle, but each that is in
 * use stays open for `KEEP_ALIVE_MS` after its answer, and the process with it.
 */
export function endAfterLastAnswer(): void {
  for (const [signal, code] of exitCodes)
    process.once(signal, () => {
      subscribe('http.server.response.finish', (message) => {
        const { server } = message as { server: Server }
        setImmediate(() => server.closeIdleConnections())
      })
      setTimeout(() => process.exit(code), exitMsMax).unref()
    })
}

/**
 * Makes every HTTP server of this process ignore `Upgrade` and answer the request normally. `next start` listens for upgrades and
 * leaves the socket of an unknown one open for ever.
 */
export function refuseUpgrades(): void {
  onEachServer((server) => void Object.assign(server, { shouldUpgradeCallback: () => false }))
}

/**
 * Answers what `next start` would answer with 500, and log, before `proxy.ts` or a route of ours runs: its router decodes each path and
 * makes a web `Request` of each request, and the headers of Next's own router are kept from `proxy.ts`.
 */
export function refuseUnreadable(): void {
  const built = readBuiltApp('.next')
  onEachServer((server) => {
    const listeners = server.listeners('request')
    server.removeAllListeners('request').on('request', (request, response) => {
      if (!enterPipeline(request, response)) return
      const errorResponse = errorFor(request, built)
      if (errorResponse === null) for (const listener of listeners) listener.call(server, request, response)
      else response.writeHead(errorResponse.status, errorResponse.headers).end(errorResponse.body)
    })
  })
}

/** Bounds the body, too, unless it is refused. */
function errorFor(request: IncomingMessage, built: BuiltApp): TextResponse | null {
  const target = targetOf(request)
  if (target === null) return badTarget
  const path = moveKey(request, target).split('?', 1)[0] ?? ''
  const header = (name: string) => request.headers[name]?.toString() ?? null
  const isGateway = path.startsWith(`${base}/`)
  // The gateway refuses PUT as it does TRACE, of which nobody can make a web `Request`.
  if (isGateway && request.method === 'TRACE') request.method = 'PUT'
  // The engine bounds the bodies of its calls itself.
  const bytesMax = isGateway ? Number.POSITIVE_INFINITY : bodyBytesMax
  if (Number(header('content-length') ?? 0) > bytesMax) return tooLarge
  boundPassedBody(request, bytesMax)
  return pageError(request.method ?? '', path, { header, built })
}

const tooLarge = refuse(413, 'the body is too large', { connection: 'close' })

/** Next's server exists before our code runs, so it is changed at its first connection. */
function onEachServer(change: (server: Server) => void): void {
  const changed = new WeakSet<Server>()
  subscribe('net.server.socket', (message) => {
    const { server } = (message as { readonly socket: { readonly server?: unknown } }).socket
    if (!(server instanceof Server) || changed.has(server)) return
    changed.add(server)
    change(server)
  })
}
