import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'

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
