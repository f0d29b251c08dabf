import { Abort, type Signal } from '../runtime/abort.ts'
import type { Cancel, Clock } from '../runtime/clock.ts'
import type { NodeIndex } from '../runtime/indexes.ts'

/** Whether all nodes stand on the same first block: a chain id is easily taken, a genesis is not. */
export interface Genesis {
  /** Those of these nodes that have not been asked for an hour. */
  readonly due: (nodes: readonly NodeIndex[]) => readonly NodeIndex[]
  /** Asks a node for its first block. Returns the nodes whose first block differs from that of more than half of all weight, each once. */
  readonly check: (node: NodeIndex) => Promise<readonly NodeIndex[]>
  /** The chain may have another first block now: every node is asked again. Returns the nodes whose first block differed. */
  readonly forget: () => readonly NodeIndex[]
  readonly close: () => void
}

interface GenesisPorts {
  readonly clock: Clock
  /** The hash of a node's block 0; null where it shows none, which is not held against it. */
  readonly getGenesis: (node: NodeIndex, signal: Signal) => Promise<string | null>
  /** Whether these are more than half of all weight, and enough operators that are believed. */
  readonly isMajority: (nodes: readonly NodeIndex[]) => boolean
}

const everyMs = 3_600_000
const pollMs = 5_000

export function createGenesis({ clock, getGenesis, isMajority }: GenesisPorts): Genesis {
  const polledMs = new Map<NodeIndex, number>()
  const hashes = new Map<NodeIndex, string>()
  const onOtherChain = new Set<NodeIndex>()
  const open = new Set<Cancel>()

  function newlyFound(): readonly NodeIndex[] {
    const showing = (hash: string) => [...hashes.keys()].filter((node) => hashes.get(node) === hash)
    const common = [...new Set(hashes.values())].find((hash) => isMajority(showing(hash)))
    if (common === undefined) return []
    const found = [...hashes].flatMap(([node, hash]) =>
      hash === common || onOtherChain.has(node) ? [] : [node],
    )
    for (const node of found) onOtherChain.add(node)
    return found
  }

  return {
    due: (nodes) =>
      nodes.filter((node) => clock.now() - (polledMs.get(node) ?? Number.NEGATIVE_INFINITY) >= everyMs),
    async check(node) {
      polledMs.set(node, clock.now())
      const controller = new Abort()
      const giveUp = () => controller.abort()
      const cancel = clock.after(pollMs, giveUp)
      open.add(giveUp)
      const hash = await getGenesis(node, controller)
      cancel()
      open.delete(giveUp)
      if (hash === null) return []
      hashes.set(node, hash)
      onOtherChain.delete(node)
      return newlyFound()
    },
    forget() {
      const forgiven = [...onOtherChain]
      polledMs.clear()
      hashes.clear()
      onOtherChain.clear()
      return forgiven
    },
    close() {
      for (const giveUp of open) giveUp()
    },
  }
}
