import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Keeps a caller's leaving out of the log. Once `next start` has copied a body, for an edge route or for `proxy.ts`, it replaces
 * the request's own methods, and Node's silence about aborted requests with them: each prints two stack traces as uncaught. The
 * Node host needs none of it.
 */
export function quietAborted(): void {
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    // A listener of before would be replaced as well. A response closes before its request's error is emitted.
    response.once('close', () => request.on('error', () => {}))
  })
}
