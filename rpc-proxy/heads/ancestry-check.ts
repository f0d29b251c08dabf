import type { BlockId } from '../events/evidence-types.ts'
import { hexOf } from '../methods/block-ref.ts'
import { type Electorate, isQuorum, operatorsOfNodes } from '../quorum/electorate.ts'
import type { NodeIndex } from '../runtime/indexes.ts'
import { type HeaderPorts, HeaderRound } from './header-round.ts'

interface AncestryOptions {
  readonly electorate: Electorate
  /** The blocks in between have been read: the head is known to descend from this one, and no node need be asked. */
  readonly isLinked: (from: BlockId) => boolean
}

/** A head that has jumped is compared with the one before it this often. */
const everyMs = 30_000
const deadlineMs = 5_000

/**
 * Whether the head descends from the heads before it. A head that jumps past blocks that nobody showed does not tell: the chain
 * may have been reset in between.
 */
export class AncestryCheck {
  readonly #options: AncestryOptions
  readonly #ports: HeaderPorts
  /** The oldest head that may not be an ancestor. */
  #oldest: BlockId | null = null
  #isUrgent = false
  #polledMs: number
  #round: HeaderRound | null = null

  constructor(options: AncestryOptions, ports: HeaderPorts) {
    this.#options = options
    this.#ports = ports
    this.#polledMs = ports.clock.now()
  }

  /** The head has jumped from here. An urgent gap is examined after this poll, others now and then. */
  open(from: BlockId, isUrgent: boolean): void {
    this.#oldest ??= from
    this.#isUrgent ||= isUrgent
  }

  /** A poll of these nodes has ended. The block from which the head does not descend, where a quorum shows another one; else null. */
  async afterPoll(nodes: readonly NodeIndex[]): Promise<BlockId | null> {
    const from = this.#oldest
    const nowMs = this.#ports.clock.now()
    if (from === null || (!this.#isUrgent && nowMs - this.#polledMs < everyMs)) return null
    this.forget()
    if (this.#options.isLinked(from)) return null
    this.#polledMs = nowMs
    const hash = await this.#agreedAt(from.number, nodes)
    if (hash === null) this.#oldest ??= from
    return hash === null || hash === from.hash ? null : from
  }

  /** A reorg has been told: what was before it is gone. */
  forget(): void {
    this.#oldest = null
    this.#isUrgent = false
  }

  /** Resolves when no request of it is in flight any more. */
  async ended(): Promise<void> {
    await this.#round?.ended()
  }

  close(): void {
    this.#round?.close()
  }

  /** The hash at a number that a quorum of these nodes shows; null where there is none. */
  async #agreedAt(number: number, nodes: readonly NodeIndex[]): Promise<string | null> {
    const hashes = new Map<NodeIndex, string>()
    this.#round = new HeaderRound(
      {
        nodes,
        block: hexOf(number),
        deadlineMs,
        until: 'replied',
        onHeader(node, header) {
          if (header?.number === number) hashes.set(node, header.hash)
        },
        isWanted: () => true,
        countsAsFault: () => false,
      },
      this.#ports,
    ).begin()
    await this.#round.verdict
    const { electorate } = this.#options
    const isAgreed = (hash: string) => {
      const showing = nodes.filter((node) => hashes.get(node) === hash)
      return isQuorum(electorate, operatorsOfNodes(electorate, showing))
    }
    return [...hashes.values()].find(isAgreed) ?? null
  }
}
