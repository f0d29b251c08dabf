import type { BlockId } from '../events/evidence-types.ts'
import { hexOf } from '../methods/block-ref.ts'
import { type Electorate, isQuorum, operatorsOfNodes } from '../quorum/electorate.ts'
import type { Round } from '../round/round.ts'
import type { NodeIndex } from '../runtime/indexes.ts'
import type { Header } from './head-views.ts'
import { type HeaderPorts, runHeaderRound } from './header-round.ts'

/**
 * Whether the head descends from the heads before it. A head that jumps past blocks that nobody showed does not tell: the chain
 * may have been reset in between.
 */
export interface AncestryCheck {
  /** The head has jumped from here. An urgent gap is examined after this poll, others now and then. */
  readonly open: (from: BlockId, isUrgent: boolean) => void
  /** A poll of these nodes has ended. The block from which the head does not descend, where a quorum shows another one; else null. */
  readonly afterPoll: (nodes: readonly NodeIndex[]) => Promise<BlockId | null>
  /** A reorg has been told: what was before it is gone. */
  readonly forget: () => void
  /** Resolves when no request of it is in flight any more. */
  readonly ended: () => Promise<void>
  readonly close: () => void
}

interface AncestryOptions {
  readonly electorate: Electorate
  readonly everyMs: number
  readonly pollMs?: number
  /** The blocks in between have been read: the head is known to descend from this one, and no node need be asked. */
  readonly isLinked: (from: BlockId) => boolean
}

export function createAncestryCheck(
  { electorate, everyMs, pollMs = 5_000, isLinked }: AncestryOptions,
  ports: HeaderPorts,
): AncestryCheck {
  const { clock } = ports
  /** The oldest head that may not be an ancestor. */
  let oldest: BlockId | null = null
  let isUrgent = false
  let polledMs = clock.now()
  let round: Round<void> | null = null

  async function check(from: BlockId, nodes: readonly NodeIndex[]): Promise<BlockId | null> {
    const headers = new Map<NodeIndex, Header>()
    round = runHeaderRound(
      {
        nodes,
        block: hexOf(from.number),
        deadlineMs: pollMs,
        until: 'replied',
        onHeader(node, header) {
          if (header !== null) headers.set(node, header)
        },
        isWanted: () => true,
        countsAsFault: () => false,
      },
      ports,
    )
    await round.verdict
    const showing = (hash: string) =>
      nodes.filter((node) => headers.get(node)?.number === from.number && headers.get(node)?.hash === hash)
    const hashes = new Set([...headers.values()].map(({ hash }) => hash))
    const agreed = [...hashes].find((hash) =>
      isQuorum(electorate, operatorsOfNodes(electorate, showing(hash))),
    )
    if (agreed === undefined) oldest ??= from
    return agreed === undefined || agreed === from.hash ? null : from
  }

  return {
    open(from, urgent) {
      oldest ??= from
      isUrgent ||= urgent
    },
    async afterPoll(nodes) {
      if (oldest === null || (!isUrgent && clock.now() - polledMs < everyMs)) return null
      const from = oldest
      oldest = null
      isUrgent = false
      if (isLinked(from)) return null
      polledMs = clock.now()
      return check(from, nodes)
    },
    forget() {
      oldest = null
      isUrgent = false
    },
    ended: () => round?.ended() ?? Promise.resolve(),
    close() {
      round?.close()
    },
  }
}
