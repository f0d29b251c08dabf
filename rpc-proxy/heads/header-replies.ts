import type { Clock } from '../runtime/clock.ts'
import type { NodeIndex } from '../runtime/indexes.ts'

/** A node that takes longer than this for a header may hang, and other nodes are sent the request too. */
export const promptMsMax = 250

/** Which nodes reply to requests for headers: everyday and protected polls know it of each other. */
export class HeaderReplies {
  readonly #clock: Clock
  /** When each node last replied with a header, or with having none. */
  readonly #repliedMs = new Map<NodeIndex, number>()
  /** When each node was last sent a request. */
  readonly #sentMs = new Map<NodeIndex, number>()
  /** Since when each node has had a request without a reply. */
  readonly #pendingMs = new Map<NodeIndex, number>()
  /** Nodes that have failed in a poll, or were silent past their stall, and have not replied since. */
  readonly #failing = new Set<NodeIndex>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  sent(node: NodeIndex): void {
    const nowMs = this.#clock.now()
    this.#sentMs.set(node, nowMs)
    if (!this.#pendingMs.has(node)) this.#pendingMs.set(node, nowMs)
  }

  /** `sentMs`: when it was sent that request, epoch milliseconds. It may have a later one. */
  replied(node: NodeIndex, sentMs: number): void {
    const lastMs = this.#sentMs.get(node) ?? sentMs
    this.#repliedMs.set(node, this.#clock.now())
    if (lastMs > sentMs) this.#pendingMs.set(node, lastMs)
    else this.#pendingMs.delete(node)
    this.#failing.delete(node)
  }

  /** Notes a failure of a node that has not replied since then, epoch milliseconds. */
  failed(node: NodeIndex, sinceMs: number): void {
    if (!this.since(sinceMs).includes(node)) this.#failing.add(node)
  }

  readonly isFailing = (node: NodeIndex): boolean => this.#failing.has(node)

  isLate(node: NodeIndex, ms = promptMsMax): boolean {
    const pendingMs = this.#pendingMs.get(node) ?? Number.POSITIVE_INFINITY
    return this.#clock.now() - pendingMs >= ms
  }

  /** Nodes that have replied since then. */
  since(ms: number): readonly NodeIndex[] {
    return [...this.#repliedMs].filter(([, atMs]) => atMs >= ms).map(([node]) => node)
  }
}
