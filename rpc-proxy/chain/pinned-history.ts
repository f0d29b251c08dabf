import type { BlockId } from '../events/evidence-types.ts'
import type { Heads } from '../heads/heads.ts'
import type { Checkpoints } from '../methods/checkpoints.ts'
import type { NodeIndex } from '../runtime/indexes.ts'

/** The last block that a chain's validators have signed as final, as the host has verified it. */
export interface SignedFinality {
  /** Null while there is none. */
  readonly block: BlockId | null
  /** Its time, epoch milliseconds. */
  readonly timeMs: number | null
  /** What keeps the host from newer ones, for people. */
  readonly faults: readonly string[]
}

/** The blocks that a chain is known to have. */
export interface PinnedHistory {
  readonly checkpoints: Checkpoints
  /** Null where nobody looks for signatures. */
  readonly signed: () => SignedFinality | null
  /** Takes in what was signed. */
  readonly sign: (finality: SignedFinality) => void
}

interface PinnedHistoryPorts {
  /** Those of everyday and of protected calls. */
  readonly heads: () => readonly Heads[]
  /** There is another checkpoint: nodes are asked for it when they are next used. */
  readonly recheck: () => void
  /** These have shown a head that does not descend from a signed block. */
  readonly onContradiction: (nodes: readonly NodeIndex[]) => void
}

export function createPinnedHistory(configured: BlockId | null, ports: PinnedHistoryPorts): PinnedHistory {
  let signed: SignedFinality | null = null
  let checkpoints = configured === null ? [] : [configured]

  function checkHeads({ number, hash }: BlockId): void {
    for (const heads of ports.heads()) {
      const known = heads.hashAt(number)
      if (known !== null && known !== hash) ports.onContradiction(heads.current()?.nodes ?? [])
    }
  }

  return {
    checkpoints: () => checkpoints,
    signed: () => signed,
    sign(finality) {
      const before = signed?.block?.hash
      signed = finality
      const { block } = finality
      checkpoints = [configured, block].filter((each) => each !== null)
      if (block === null || block.hash === before) return
      ports.recheck()
      checkHeads(block)
    },
  }
}
