import { subscribe } from 'node:diagnostics_channel'
import { type IncomingMessage, Server, type ServerResponse } from 'node:http'

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
 * leaves the socket of an unknown one open for ever. Its server exists before our code runs, so it is patched at its first
 * connection.
 */
export function refuseUpgrades(): void {
  subscribe('net.server.socket', (message) => {
    const { server } = (message as { readonly socket: { readonly server?: unknown } }).socket
    if (server instanceof Server) Object.assign(server, { shouldUpgradeCallback: () => false })
  })
}
