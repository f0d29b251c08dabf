import { callerKey, type KeyedCaller } from '../admission/caller.ts'
import { Abort } from '../runtime/abort.ts'
import type { ErrorObject } from '../runtime/errors.ts'
import type { Subscriber, Subscription } from '../subscriptions/subscription.ts'
import { encodeError, idsIn } from '../wire/json-rpc.ts'
import type { GatewayRequest, GatewayResponse } from './gateway-request.ts'

/** What a host hands in of a connection that has been opened, such as a WebSocket. */
export interface ConnectionOptions extends Pick<GatewayRequest, 'path' | 'header' | 'caller' | 'origin'> {
  /** Whose key it was opened with; absent for nobody's. */
  readonly keyed?: KeyedCaller | null
  /** Sends one message: an answer. */
  readonly send: (text: string) => void
  /**
   * Sends what was subscribed to, `head` and `rest` as one message; `send` without it. Connections that are sent the same have the same
   * `rest`, one after the other. A host may gather these for a moment: a block has one for each subscription.
   */
  readonly notify?: Subscriber['notify']
  /** Closes it: its chain is served no more. */
  readonly end: () => void
}

interface ConnectionPorts {
  readonly handle: (request: GatewayRequest, keyed: KeyedCaller | null) => Promise<GatewayResponse>
  readonly onClose: (connection: Subscriber) => void
}

/** A connection on which each message is answered as a request is, and which may subscribe. */
export class Connection implements Subscriber {
  readonly caller: string | null
  readonly notify: Subscriber['notify']
  readonly end: ConnectionOptions['end']
  readonly #options: ConnectionOptions
  readonly #ports: ConnectionPorts
  readonly #closed = new Abort()

  constructor(options: ConnectionOptions, ports: ConnectionPorts) {
    this.caller = options.keyed?.budgetKey ?? (options.caller === null ? null : callerKey(options.caller))
    this.notify = options.notify ?? ((head, rest) => options.send(head + rest))
    this.end = options.end
    this.#options = options
    this.#ports = ports
  }

  isClosed(): boolean {
    return this.#closed.aborted
  }

  /** Answers one message: a call or a batch. Resolves when its answer has been sent; never rejects. */
  async receive(text: string): Promise<void> {
    const { path, header, caller, origin, send, keyed = null } = this.#options
    const opened: Subscription[] = []
    const { body, status } = await this.#ports.handle(
      {
        method: 'POST',
        path,
        header: (name) => (name === 'content-type' ? 'application/json' : header(name)),
        body: async (bytesMax) => (text.length > bytesMax ? { fault: 'too-large' } : { text }),
        caller,
        origin,
        signal: this.#closed,
        subscribing: { subscriber: this, opened },
      },
      keyed,
    )
    if (this.isClosed()) return
    if (body !== '') send(status === 200 ? body : underIds(body, text))
    for (const subscription of opened) subscription.begin()
  }

  /** The other side has left. */
  close(): void {
    this.#closed.abort()
    this.#ports.onClose(this)
  }
}

/** A batch longer than this is refused under so many of its ids. */
const idsMax = 1000

/** On a connection only the id says which call a refusal is of. */
function underIds(body: string, text: string): string {
  const { id, error } = JSON.parse(body) as { readonly id: unknown; readonly error: ErrorObject }
  if (id !== null) return body
  const errors = idsIn(text, { batchCallsMax: idsMax }).map((own) => encodeError(own, error))
  if (errors.length === 0) return body
  return text.trimStart().startsWith('[') ? `[${errors.join()}]` : (errors[0] as string)
}
