/** A block of a chain, and when each node first showed it. */
export interface SeenBlock {
  readonly number: number
  /** When a quorum first agreed on it, epoch milliseconds, and on which hash; null for a block that only nodes have shown. */
  readonly agreedMs: number | null
  readonly hash: string | null
  /** Milliseconds after the first node that showed it, by node; a node that is not here has not shown it. */
  readonly seen: Readonly<Record<string, number>>
}

interface Behind {
  readonly blocks: number
  readonly delayMs: number
}

interface Entry {
  readonly firstMs: number
  agreedMs: number | null
  hash: string | null
  readonly seen: Map<string, number>
}

/** Of each chain. */
const blocksMax = 100

/** Creates an empty log of the last blocks of each chain; `now` is epoch milliseconds. */
export function createBlockLog(now: () => number) {
  const chains = new Map<number, Map<number, Entry>>()

  function entry(chainId: number, number: number): Entry {
    const blocks = chains.get(chainId) ?? new Map<number, Entry>()
    chains.set(chainId, blocks)
    const known = blocks.get(number)
    if (known !== undefined) return known
    const made = { firstMs: now(), agreedMs: null, hash: null, seen: new Map() }
    blocks.set(number, made)
    // The one that was met first goes: a made-up height far above must not push out what is real for ever.
    for (const oldest of blocks.keys()) {
      if (blocks.size <= blocksMax) break
      blocks.delete(oldest)
    }
    return made
  }

  return {
    agreed(chainId: number, number: number, hash: string): void {
      const block = entry(chainId, number)
      if (block.hash === hash) return
      block.agreedMs = now()
      block.hash = hash
    },
    /** Returns how far the node is behind: the blocks that it lacks, and for how long others have had the first of them. */
    record(chainId: number, node: string, number: number): Behind {
      const { seen } = entry(chainId, number)
      if (!seen.has(node)) seen.set(node, now())
      return behindOf(chains.get(chainId) ?? new Map(), number, now())
    },
    /** The last blocks, the oldest first. Blocks that no poll has seen are missing. */
    read: (chainId: number): readonly SeenBlock[] =>
      [...(chains.get(chainId) ?? [])]
        .sort(([a], [b]) => a - b)
        .map(([number, { firstMs, agreedMs, hash, seen }]) => ({
          number,
          agreedMs,
          hash,
          seen: Object.fromEntries([...seen].map(([node, ms]) => [node, Math.round(ms - firstMs)])),
        })),
  }
}

/** By agreed blocks alone: what one node makes up puts no other behind. */
function behindOf(blocks: ReadonlyMap<number, Entry>, number: number, nowMs: number): Behind {
  let [highest, firstMs] = [number, nowMs]
  for (const [each, entry] of blocks) {
    if (each <= number || entry.agreedMs === null) continue
    highest = Math.max(highest, each)
    firstMs = Math.min(firstMs, entry.firstMs)
  }
  return { blocks: highest - number, delayMs: nowMs - firstMs }
}
