import type { Clock } from '../runtime/clock.ts'
import type { NodeIndex } from '../runtime/indexes.ts'

/** A node that takes longer than this for a header may hang, and other nodes are sent the request too. */
export const promptMsMax = 250

/** Which nodes reply to requests for headers: everyday and protected polls know it of each other. */
export class HeaderReplies {
  readonly #clock: Clock
  /** When each node last replied with a header, or with having none. */
  readonly #repliedMs = new Map<NodeIndex, number>()
  /** When each node was sent the first and the last of the requests later than any that it has replied to. */
  readonly #pending = new Map<NodeIndex, { readonly firstMs: number; readonly lastMs: number }>()
  /** Nodes that have failed in a poll, or were silent past their stall, and have not replied since. */
  readonly #failing = new Set<NodeIndex>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  sent(node: NodeIndex): void {
    const lastMs = this.#clock.now()
    this.#pending.set(node, { firstMs: this.#pending.get(node)?.firstMs ?? lastMs, lastMs })
  }

  /** `sentMs`: when it was sent that request, epoch milliseconds. It may have a later one, or have replied to one. */
  replied(node: NodeIndex, sentMs: number): void {
    const { firstMs, lastMs } = this.#pending.get(node) ?? { firstMs: sentMs, lastMs: sentMs }
    this.#repliedMs.set(node, this.#clock.now())
    this.#failing.delete(node)
    if (lastMs <= sentMs) this.#pending.delete(node)
    else if (firstMs <= sentMs) this.#pending.set(node, { firstMs: lastMs, lastMs })
  }

  /** Notes a failure of a node that has not replied since then, epoch milliseconds. */
  failed(node: NodeIndex, sinceMs: number): void {
    if (!this.since(sinceMs).includes(node)) this.#failing.add(node)
  }

  readonly isFailing = (node: NodeIndex): boolean => this.#failing.has(node)

  isLate(node: NodeIndex, ms = promptMsMax): boolean {
    const firstMs = this.#pending.get(node)?.firstMs ?? Number.POSITIVE_INFINITY
    return this.#clock.now() - firstMs >= ms
  }

  /** Nodes that have replied since then. */
  since(ms: number): readonly NodeIndex[] {
    return [...this.#repliedMs].filter(([, atMs]) => atMs >= ms).map(([node]) => node)
  }
}
