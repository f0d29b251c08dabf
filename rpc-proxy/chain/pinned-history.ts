import type { BlockId } from '../events/evidence-types.ts'
import type { Checkpoints } from '../methods/agreed-blocks.ts'

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
  /** Takes in what was signed; the block, where it is another one than before. */
  readonly sign: (finality: SignedFinality) => BlockId | null
}

export function createPinnedHistory(configured: BlockId | null): PinnedHistory {
  let signed: SignedFinality | null = null
  let checkpoints = configured === null ? [] : [configured]
  return {
    checkpoints: () => checkpoints,
    signed: () => signed,
    sign(finality) {
      const before = signed?.block?.hash
      signed = finality
      const { block } = finality
      checkpoints = [configured, block].filter((each) => each !== null)
      return block?.hash === before ? null : block
    },
  }
}
