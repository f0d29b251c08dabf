import type { SeenBlock } from '#lib/engine/engine-reads.ts'

/** The share of nodes that have seen a block, from 0 to 1. */
export function reachOf({ seen }: SeenBlock, nodes: readonly string[]): number {
  return nodes.length === 0 ? 0 : nodes.filter((node) => node in seen).length / nodes.length
}

/** How often each node saw a block first, in descending order. Blocks that only one node has seen don't count. */
export function firstsOf(blocks: readonly SeenBlock[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const { seen } of blocks) {
    const [first, second] = Object.entries(seen).sort(([, a], [, b]) => a - b)
    if (first !== undefined && second !== undefined) counts.set(first[0], (counts.get(first[0]) ?? 0) + 1)
  }
  return [...counts].sort(([, a], [, b]) => b - a)
}
