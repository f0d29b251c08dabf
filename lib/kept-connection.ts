import { Client, type Dispatcher } from 'undici'

/** A connection was closed that had answered before, and no byte of this answer had come. */
export class IdleConnectionClosed extends Error {
  override readonly name = 'IdleConnectionClosed'
}

/**
 * One connection of a pool. A server or a balancer may close an idle connection at the moment at which a request is on its way:
 * then the request fails with IdleConnectionClosed. What fails on a new connection is the server's own fault.
 */
export class KeptConnection extends Client {
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

/** Whether the other side has closed or reset the connection. */
function isClosed(error: Error): boolean {
  return 'code' in error && ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(String(error.code))
}
