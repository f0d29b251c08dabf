import type { BlockId } from '../events/evidence-types.ts'
import type { SignedFinality } from '../ledger/snapshot-types.ts'
import type { Checkpoints } from '../methods/agreed-blocks.ts'

/** The blocks that a chain is known to have. */
export function createPinnedHistory(configured: BlockId | null) {
  let signed: SignedFinality | null = null
  let blocks = configured === null ? [] : [configured]
  const checkpoints: Checkpoints = () => blocks
  return {
    checkpoints,
    /** Null where nobody looks for signatures. */
    signed: () => signed,
    /** Takes in what was signed; the block, where it is another one than before. */
    sign(finality: SignedFinality): BlockId | null {
      const before = signed?.block?.hash
      signed = finality
      const { block } = finality
      blocks = [configured, block].filter((each) => each !== null)
      return block?.hash === before ? null : block
    },
  }
}

export type PinnedHistory = ReturnType<typeof createPinnedHistory>
