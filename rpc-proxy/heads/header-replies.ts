import type { Clock } from '../runtime/clock.ts'
import type { NodeIndex } from '../runtime/indexes.ts'

/** A node that takes longer than this for a header may hang, and other nodes are sent the request too. */
export const promptMsMax = 250

/** Which nodes reply to requests for headers: everyday and protected polls know it of each other. */
export class HeaderReplies {
  readonly #clock: Clock
  /** When each node last replied with a header, or with having none. */
  readonly #repliedMs = new Map<NodeIndex, number>()
  /** When each node was sent the first of the requests that it has not replied to since. */
  readonly #pendingMs = new Map<NodeIndex, number>()
  /** Nodes that have failed in a poll, or were silent past their stall, and have not replied since. */
  readonly #failing = new Set<NodeIndex>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  sent(node: NodeIndex): void {
    if (!this.#pendingMs.has(node)) this.#pendingMs.set(node, this.#clock.now())
  }

  replied(node: NodeIndex): void {
    this.#repliedMs.set(node, this.#clock.now())
    this.#pendingMs.delete(node)
    this.#failing.delete(node)
  }

  /** Notes a failure of a node that has not replied since then, epoch milliseconds. */
  failed(node: NodeIndex, sinceMs: number): void {
    if (!this.since(sinceMs).includes(node)) this.#failing.add(node)
  }

  readonly isFailing = (node: NodeIndex): boolean => this.#failing.has(node)

  isLate(node: NodeIndex): boolean {
    const pendingMs = this.#pendingMs.get(node) ?? Number.POSITIVE_INFINITY
    return this.#clock.now() - pendingMs >= promptMsMax
  }

  /** Nodes that have replied since then. */
  since(ms: number): readonly NodeIndex[] {
    return [...this.#repliedMs].filter(([, atMs]) => atMs >= ms).map(([node]) => node)
  }
}
