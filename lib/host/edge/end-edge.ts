import { subscribe } from 'node:diagnostics_channel'
import type { Server } from 'node:http'

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
