import type { BlockId } from '../events/evidence-types.ts'

/** Blocks that the chain is known to have, whatever nodes say: that of the configuration, and the last that was signed as final. */
export type Checkpoints = () => readonly BlockId[]

/** A block as something names it; its parent where it is the block itself. */
interface Named extends BlockId {
  readonly parentHash?: string | undefined
}

/** Whether it stands in the place of a checkpoint, or on another block than the checkpoint. */
export function isAgainst(checkpoints: Checkpoints, { number, hash, parentHash }: Named): boolean {
  return checkpoints().some(
    (known) =>
      (number === known.number && hash !== known.hash) ||
      (number === known.number + 1 && parentHash !== undefined && parentHash !== known.hash),
  )
}
