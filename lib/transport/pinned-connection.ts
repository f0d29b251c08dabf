import { Client, type Dispatcher } from 'undici'

/** A reused connection was closed before the first byte of this response. */
export class IdleConnectionClosed extends Error {
  override readonly name = 'IdleConnectionClosed'
}

/**
 * One connection of a pool. A server or a load balancer may close an idle connection just when a request is sent on it; the
 * request then fails with IdleConnectionClosed. A failure on a new connection is the server's fault.
 */
export class PinnedConnection extends Client {
  #hasAnswered = false

  constructor(origin: URL, options: Client.Options) {
    super(origin, options)
    this.on('connect', () => {
      this.#hasAnswered = false
    })
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    let isReused = false
    let hasStarted = false
    return super.dispatch(options, {
      ...handler,
      onRequestStart: (controller, context) => {
        isReused = this.#hasAnswered
        handler.onRequestStart?.(controller, context)
      },
      onResponseStart(...response) {
        hasStarted = true
        handler.onResponseStart?.(...response)
      },
      onResponseEnd: (...end) => {
        this.#hasAnswered = true
        handler.onResponseEnd?.(...end)
      },
      onResponseError(controller, error) {
        const isIdleClosed = isReused && !hasStarted && isClosed(error)
        handler.onResponseError?.(
          controller,
          isIdleClosed ? new IdleConnectionClosed(error.message, { cause: error }) : error,
        )
      },
    })
  }
}

/** Whether the peer closed or reset the connection. */
function isClosed(error: Error): boolean {
  return 'code' in error && ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(String(error.code))
}
