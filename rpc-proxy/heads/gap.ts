import { Abort, type Signal } from '../abort.ts'
import type { Cancel, Clock } from '../clock.ts'
import type { BlockId } from '../events.ts'
import type { NodeIndex } from '../indexes.ts'
import { hexOf } from '../methods/block-ref.ts'
import { type Electorate, isQuorum, operatorsOfNodes } from '../quorum/electorate.ts'
import type { Header } from './views.ts'

/**
 * Whether the head stands on the heads before it. A head that jumps past blocks that nobody showed does not tell: the chain
 * may have been reset in between.
 */
export interface Gap {
  /** The head has jumped from here. An urgent gap is looked at after this look, others now and then. */
  readonly opened: (from: BlockId, isUrgent: boolean) => void
  /** A look at these nodes has ended. Runs in the background. */
  readonly looked: (nodes: readonly NodeIndex[]) => void
  /** A reorg has been told: what was before it is gone. */
  readonly forget: () => void
}

interface GapPorts {
  readonly clock: Clock
  readonly look: (node: NodeIndex, block: string, signal: Signal) => Promise<Header | null>
  readonly electorate: Electorate
  /** A quorum shows another block at that number: the head does not stand on it. */
  readonly onParted: (from: BlockId) => void
  /** Gives up one ask each; ours are in it while they are under way. */
  readonly open: Set<Cancel>
}

interface GapOptions {
  readonly everyMs: number
  readonly lookMs?: number
}

export function createGap(
  { clock, look, electorate, onParted, open }: GapPorts,
  { everyMs, lookMs = 5_000 }: GapOptions,
): Gap {
  /** The oldest head that may not be an ancestor. */
  let oldest: BlockId | null = null
  let isUrgent = false
  let lookedMs = clock.now()

  async function check(from: BlockId, nodes: readonly NodeIndex[]): Promise<void> {
    const controller = new Abort()
    const giveUp = () => controller.abort()
    const cancel = clock.after(lookMs, giveUp)
    open.add(giveUp)
    const headers = await Promise.all(nodes.map((node) => look(node, hexOf(from.number), controller)))
    cancel()
    open.delete(giveUp)
    const showing = (hash: string) =>
      nodes.filter((_, index) => headers[index]?.number === from.number && headers[index]?.hash === hash)
    const hashes = new Set(headers.flatMap((header) => (header === null ? [] : [header.hash])))
    const agreed = [...hashes].find((hash) =>
      isQuorum(electorate, operatorsOfNodes(electorate, showing(hash))),
    )
    if (agreed === undefined) oldest ??= from
    else if (agreed !== from.hash) onParted(from)
  }

  return {
    opened(from, urgent) {
      oldest ??= from
      isUrgent ||= urgent
    },
    looked(nodes) {
      if (oldest === null || (!isUrgent && clock.now() - lookedMs < everyMs)) return
      const from = oldest
      oldest = null
      isUrgent = false
      lookedMs = clock.now()
      void check(from, nodes)
    },
    forget() {
      oldest = null
      isUrgent = false
    },
  }
}
