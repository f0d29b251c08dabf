import type { Abort } from '#rpc-proxy'
import type { ClientRequest, Entry } from './calls.ts'
import type { Sent } from './network.ts'
import type { Settings } from './settings.ts'

/** A request of a caller, on its way. */
export interface OpenRequest {
  readonly clientRequest: ClientRequest
  readonly startMs: number
  /** Its sequence number. */
  readonly order: number
  readonly controller: Abort
  /** Nodes that were not usable when it began, and have not become so since. */
  readonly down: Set<string>
  hasLeft: boolean
}

/** Methods that are sent to nodes for another method. */
const beside: Readonly<Partial<Record<Entry['agreement'], string>>> = {
  derived: 'eth_feeHistory',
  estimate: 'eth_call',
  broadcast: 'eth_getTransactionByHash',
}

/** Methods that the engine sends for itself (head polls, chain ids), and those that go on after the caller has left. */
export const ownMethods: ReadonlySet<string> = new Set([
  'eth_getBlockByNumber',
  'eth_chainId',
  'eth_sendRawTransaction',
  'eth_getTransactionByHash',
])

/** The requests in flight, and those that have ended. */
export class OpenRequests {
  readonly #open = new Set<OpenRequest>()
  readonly #ended: { readonly open: OpenRequest; readonly order: number }[] = []
  readonly #hasAudits: boolean

  constructor({ hasAudits }: Pick<Settings, 'hasAudits'>) {
    this.#hasAudits = hasAudits
  }

  get size(): number {
    return this.#open.size
  }

  list(): readonly OpenRequest[] {
    return [...this.#open]
  }

  has(open: OpenRequest): boolean {
    return this.#open.has(open)
  }

  add(open: OpenRequest): void {
    this.#open.add(open)
  }

  end(open: OpenRequest): void {
    this.#open.delete(open)
  }

  /** `order`: the sequence number of its end. */
  ended(open: OpenRequest, order: number): void {
    this.#ended.push({ open, order })
  }

  /** Whether a caller waits for this upstream request. */
  isWanted({ chain, requests }: Sent): boolean {
    return requests.some(({ call }) => {
      if (call === null || ownMethods.has(call.method)) return true
      for (const { clientRequest, hasLeft } of this.#open)
        if (
          !hasLeft &&
          clientRequest.chain === chain &&
          clientRequest.entries.some((entry) => wants(entry, call.method, call.subject))
        )
          return true
      return false
    })
  }

  /** Whether another call of this method was in flight, so that upstream requests cannot be attributed. */
  isCrowded(open: OpenRequest, { method }: Entry): boolean {
    const { chain, entries } = open.clientRequest
    const isSent = (entry: Entry) => entry.method === method || beside[entry.agreement] === method
    const sendsToo = ({ clientRequest }: OpenRequest) =>
      clientRequest.chain === chain && clientRequest.entries.some(isSent)
    return (
      entries.filter(isSent).length > 1 ||
      [...this.#open].some(sendsToo) ||
      // An audit goes on after its call has ended.
      this.#ended.some(
        (other) =>
          (this.#hasAudits || other.order > open.order) && other.open !== open && sendsToo(other.open),
      )
    )
  }
}

function wants({ method, agreement, call }: Entry, sent: string, subject: string): boolean {
  if (agreement === 'derived') return sent === 'eth_feeHistory'
  if (agreement === 'estimate' && sent === 'eth_call') return subject.startsWith(`${call?.subject},`)
  return method === sent && call?.subject === subject
}
