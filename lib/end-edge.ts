import { subscribe } from 'node:diagnostics_channel'
import type { Server } from 'node:http'

/** SIGTERM to exit, with whatever connection is still open; Kubernetes kills after 30 s. */
const exitMsMax = 28_000

/**
 * Ends `next start` after its last answer. At SIGTERM its server closes the connections that are idle, but each that is in
 * use stays open for `KEEP_ALIVE_MS` after its answer, and the process with it.
 */
export function endAfterLastAnswer(): void {
  process.once('SIGTERM', () => {
    subscribe('http.server.response.finish', (message) => {
      const { server } = message as { server: Server }
      setImmediate(() => server.closeIdleConnections())
    })
    setTimeout(() => process.exit(143), exitMsMax).unref()
  })
}
