import type { BlockId } from '../events/evidence-types.ts'
import type { AgreedBlock } from './head-views.ts'

/** Blocks that were agreed no longer belong to the chain. */
interface Reorg {
  /** The head before. */
  readonly from: BlockId
  /** A reorg of unknown depth. */
  readonly isDeep: boolean
}

/** The last `blocksMax` agreed blocks, and which of them the head is known to descend from. */
export class AgreedChain {
  readonly #blocksMax: number
  readonly #hashes = new Map<number, string>()
  readonly #blocks = new Map<number, AgreedBlock>()
  /** Read by number, and not known to belong to the chain. */
  readonly #read = new Map<number, AgreedBlock>()
  #head: AgreedBlock | null = null
  /** From here up, each block is known to be the parent of the next. */
  #linkedFrom = 0

  constructor(blocksMax = 256) {
    this.#blocksMax = blocksMax
  }

  head(): AgreedBlock | null {
    return this.#head
  }

  /** The agreed hash at a number of the head's own branch, as far back as parent hashes reach; null where no node has shown it. */
  hashAt(number: number): string | null {
    return (number < this.#linkedFrom ? null : this.#hashes.get(number)) ?? null
  }

  /** The hash last agreed on at a number, though the head may since have jumped past blocks that nobody showed. */
  lastHashAt(number: number): string | null {
    return this.#hashes.get(number) ?? null
  }

  blockAt(number: number): AgreedBlock | null {
    return (number < this.#linkedFrom ? null : this.#blocks.get(number)) ?? null
  }

  /** The agreed block of this hash, wherever the head has jumped to. */
  blockOf(hash: string): AgreedBlock | null {
    for (const block of this.#blocks.values()) if (block.hash === hash) return block
    return null
  }

  /** The highest agreed block below a number. */
  below(number: number): BlockId | null {
    const lowest = Math.max(number - this.#blocksMax, this.#linkedFrom)
    for (let at = number - 1; at >= lowest; at--) {
      const hash = this.hashAt(at)
      if (hash !== null) return { number: at, hash }
    }
    return null
  }

  /** Whether the head is known to descend from this block. */
  descendsFrom({ number, hash }: BlockId): boolean {
    return this.hashAt(number) === hash
  }

  /** The lowest number for which `hashAt` knows a hash. */
  lowest(): number {
    return this.#linkedFrom
  }

  /** Numbers between `from` and `lowest` for which no block has been read that would link them. */
  unreadFrom(from: number): readonly number[] {
    const count = Math.max(0, this.#linkedFrom - from + 1)
    const numbers = Array.from({ length: count }, (_, index) => from + index)
    return numbers.filter((number) => !this.#read.has(number))
  }

  /** Takes a block in. Where it contradicts agreed blocks, drops all that depend on them and returns the reorg. */
  admit(block: AgreedBlock): Reorg | null {
    const { number, hash, parentHash } = block
    const old = this.#head
    const here = this.#hashes.get(number)
    const parent = this.#hashes.get(number - 1)
    const isOtherChild = parent !== undefined && parentHash !== null && parent !== parentHash
    const isReorg = (here !== undefined && here !== hash) || isOtherChild
    // Nobody has said how deep it goes: only old blocks that the new one's ancestors confirm may stay, and we know one ancestor.
    const isDeep = isReorg && parent !== parentHash
    if (isReorg) this.#drop(isDeep ? 0 : number)
    if (old === null || isReorg || number > old.number) {
      const isLinked = parent === parentHash && number > this.#linkedFrom
      if (!isLinked) this.#linkedFrom = parentHash === null ? number : number - 1
      this.#head = block
    }
    this.#hashes.set(number, hash)
    if (number > 0 && parentHash !== null) this.#hashes.set(number - 1, parentHash)
    const known = this.#blocks.get(number)
    this.#blocks.set(number, known?.hash === hash ? merged(known, block) : block)
    dropBelow(number - this.#blocksMax, this.#hashes, this.#blocks)
    return isReorg && old !== null ? { from: old, isDeep } : null
  }

  /**
   * Takes in a block that was read by its number. It counts as soon as the blocks above it name it as their parent. Returns
   * a block that was agreed before and is not one of their ancestors.
   */
  learn(block: AgreedBlock): BlockId | null {
    const top = this.#head?.number ?? -1
    const lowest = top - this.#blocksMax + 1
    if (block.number > top || block.number < lowest) return null
    this.#read.set(block.number, block)
    dropBelow(lowest, this.#read)
    return this.#link()
  }

  /** Makes a lower block the head. Drops the blocks above it, and all others too where it is not one of ours. */
  rollBack(block: AgreedBlock): void {
    this.#drop(this.lastHashAt(block.number) === block.hash ? block.number + 1 : 0)
    this.#head = null
    this.admit(block)
  }

  /** Drops the blocks from which the head is not known to descend. */
  dropUnlinked(): void {
    dropBelow(this.#linkedFrom, this.#hashes, this.#blocks)
  }

  /** Follows the parents down from the head as far as blocks are known. Returns the first agreed block that is not one of them. */
  #link(): BlockId | null {
    const lowest = Math.max(0, (this.#head?.number ?? 0) - this.#blocksMax)
    while (this.#linkedFrom > lowest) {
      const at = this.#linkedFrom
      const block = this.#read.get(at) ?? this.#blocks.get(at)
      if (block === undefined || block.hash !== this.#hashes.get(at) || block.parentHash === null) return null
      const before = this.#hashes.get(at - 1)
      const isOrphaned = before !== undefined && before !== block.parentHash
      if (isOrphaned) this.dropUnlinked()
      this.#blocks.set(at, block)
      this.#hashes.set(at - 1, block.parentHash)
      this.#linkedFrom = at - 1
      if (isOrphaned) return { number: at - 1, hash: before }
    }
    return null
  }

  /** Drops an agreed hash that another agreed block has replaced, and everything above it. */
  #drop(from: number): void {
    for (const known of [this.#hashes, this.#blocks, this.#read])
      for (const number of known.keys()) if (number >= from) known.delete(number)
  }
}

function dropBelow(from: number, ...all: readonly Map<number, unknown>[]): void {
  for (const known of all) for (const number of known.keys()) if (number < from) known.delete(number)
}

/** A block that was agreed on twice: keeps what follows from its hash, and what a quorum showed of it the first time only. */
function merged(known: AgreedBlock, block: AgreedBlock): AgreedBlock {
  const transactions = block.transactions ?? known.transactions
  if (known.stateRoot !== null) return { ...known, transactions }
  return {
    ...block,
    parentHash: block.parentHash ?? known.parentHash,
    logsBloom: block.logsBloom ?? known.logsBloom,
    gasLimit: block.gasLimit ?? known.gasLimit,
    transactions,
  }
}
