import type { BlockId } from '../events.ts'
import type { AgreedBlock } from './views.ts'

/** Blocks that were agreed are not the chain's any more. */
export interface Reorg {
  /** The head before. */
  readonly from: BlockId
  /** A reorg of unknown depth. */
  readonly isDeep: boolean
}

/** The agreed blocks of late, without gaps where we saw none. */
export interface AgreedChain {
  readonly head: () => AgreedBlock | null
  /** The agreed hash at a number of the head's own branch, as far back as parent hashes reach; null where no node has shown it. */
  readonly hashAt: (number: number) => string | null
  /** The lowest number that `hashAt` tells. */
  readonly lowest: () => number
  /** Numbers between `from` and `lowest` of whose blocks nothing has been read that would link them. */
  readonly unreadFrom: (from: number) => readonly number[]
  /** The hash last agreed on at a number, though the head may since have jumped past blocks that nobody showed. */
  readonly lastHashAt: (number: number) => string | null
  readonly blockAt: (number: number) => AgreedBlock | null
  /** The block of this hash, where it was agreed on: a hash stands for its block, wherever the head has jumped to. */
  readonly blockOf: (hash: string) => AgreedBlock | null
  /** Takes a block in. Where it contradicts what was agreed, drops all that hung on that and returns the reorg. */
  readonly admit: (block: AgreedBlock) => Reorg | null
  /**
   * Takes in a block that was read by its number. It counts from when the blocks above it name it as their parent; returns
   * a block that was agreed before and is none of theirs.
   */
  readonly learn: (block: AgreedBlock) => BlockId | null
  /** Makes a lower block the head. Blocks above it go, and where it is not one of ours all others too. */
  readonly setBack: (block: AgreedBlock) => void
  /** Whether the head is known to stand on this block. */
  readonly standsOn: (block: BlockId) => boolean
  /** Drops what the head is not known to stand on. */
  readonly part: () => void
  /** The highest agreed block below a number. */
  readonly below: (number: number) => BlockId | null
}

/** A block that was agreed on twice: what a quorum showed of it once is not lost. */
function merged(known: AgreedBlock, block: AgreedBlock): AgreedBlock {
  return {
    ...block,
    parentHash: block.parentHash ?? known.parentHash,
    logsBloom: block.logsBloom ?? known.logsBloom,
    gasLimit: block.gasLimit ?? known.gasLimit,
  }
}

/** Keeps `blocksMax` agreed blocks. */
export function createAgreedChain(blocksMax = 256): AgreedChain {
  const hashes = new Map<number, string>()
  const blocks = new Map<number, AgreedBlock>()
  /** Read by their numbers, and not known to be the chain's. */
  const read = new Map<number, AgreedBlock>()
  let head: AgreedBlock | null = null
  /** From here up, each block is known to be the parent of the next. */
  let linkedFrom = 0

  /** Follows the parents down from the head as far as blocks are known; returns the first agreed one that is none of them. */
  function link(): BlockId | null {
    const lowest = Math.max(0, (head?.number ?? 0) - blocksMax)
    while (linkedFrom > lowest) {
      const block = read.get(linkedFrom) ?? blocks.get(linkedFrom)
      if (block === undefined || block.hash !== hashes.get(linkedFrom) || block.parentHash === null)
        return null
      const number = linkedFrom - 1
      const before = hashes.get(number)
      const isParted = before !== undefined && before !== block.parentHash
      if (isParted) dropBelow(linkedFrom)
      blocks.set(linkedFrom, block)
      hashes.set(number, block.parentHash)
      linkedFrom = number
      if (isParted) return { number, hash: before }
    }
    return null
  }

  function dropBelow(from: number): void {
    for (const known of [hashes, blocks])
      for (const number of known.keys()) if (number < from) known.delete(number)
  }

  /** An agreed hash that another agreed block shows to be gone, and everything from it upwards. */
  function drop(from: number): void {
    for (const known of [hashes, blocks, read])
      for (const number of known.keys()) if (number >= from) known.delete(number)
  }

  function admit(block: AgreedBlock): Reorg | null {
    const old = head
    const here = hashes.get(block.number)
    const parent = block.number > 0 ? hashes.get(block.number - 1) : undefined
    const isChild = parent === undefined || block.parentHash === null || parent === block.parentHash
    const isReorg = (here !== undefined && here !== block.hash) || !isChild
    // How deep it goes nobody has said: of the old blocks, only those that the new one's ancestors confirm may stay, and we know one ancestor.
    const isDeep = isReorg && (parent === undefined || parent !== block.parentHash)
    if (isReorg) drop(isDeep ? 0 : block.number)
    const isLinked = block.parentHash !== null && parent === block.parentHash && block.number > linkedFrom
    if (!isLinked && (head === null || isReorg || block.number > head.number))
      linkedFrom = block.parentHash === null ? block.number : block.number - 1
    hashes.set(block.number, block.hash)
    const known = blocks.get(block.number)
    blocks.set(block.number, known?.hash === block.hash ? merged(known, block) : block)
    if (block.number > 0 && block.parentHash !== null) hashes.set(block.number - 1, block.parentHash)
    if (head === null || isReorg || block.number > head.number) head = block
    for (const number of hashes.keys()) if (number < block.number - blocksMax) hashes.delete(number)
    for (const number of blocks.keys()) if (number < block.number - blocksMax) blocks.delete(number)
    return isReorg && old !== null ? { from: old, isDeep } : null
  }

  return {
    head: () => head,
    hashAt: (number) => (number < linkedFrom ? null : (hashes.get(number) ?? null)),
    lowest: () => linkedFrom,
    unreadFrom(from) {
      const count = Math.max(0, linkedFrom - from + 1)
      return Array.from({ length: count }, (_, index) => from + index).filter((number) => !read.has(number))
    },
    lastHashAt: (number) => hashes.get(number) ?? null,
    blockAt: (number) => (number < linkedFrom ? null : (blocks.get(number) ?? null)),
    blockOf(hash) {
      for (const block of blocks.values()) if (block.hash === hash) return block
      return null
    },
    admit,
    setBack(block) {
      drop(hashes.get(block.number) === block.hash ? block.number + 1 : 0)
      head = null
      admit(block)
    },
    standsOn: ({ number, hash }) => number >= linkedFrom && hashes.get(number) === hash,
    part: () => dropBelow(linkedFrom),
    learn(block) {
      const top = head?.number ?? -1
      if (block.number > top || block.number <= top - blocksMax) return null
      read.set(block.number, block)
      for (const number of read.keys()) if (number <= top - blocksMax) read.delete(number)
      return link()
    },
    below(number) {
      for (let at = number - 1; at >= number - blocksMax && at >= 0; at--) {
        const hash = at < linkedFrom ? undefined : hashes.get(at)
        if (hash !== undefined) return { number: at, hash }
      }
      return null
    },
  }
}
