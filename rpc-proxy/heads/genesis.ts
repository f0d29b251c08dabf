import { Abort, type Signal } from '../abort.ts'
import type { Cancel, Clock } from '../clock.ts'
import type { NodeIndex } from '../indexes.ts'

/** Whether all nodes stand on the same first block: a chain id is easily taken, a genesis is not. */
export interface Genesis {
  /** Asks those of these nodes that have not been asked for an hour. Runs in the background. */
  readonly check: (nodes: readonly NodeIndex[]) => void
  /** The chain may have begun anew, with another first block: everybody is asked again. */
  readonly forget: () => void
  readonly close: () => void
}

interface GenesisPorts {
  readonly clock: Clock
  /** The hash of a node's block 0; null where it shows none, which is not held against it. */
  readonly look: (node: NodeIndex, signal: Signal) => Promise<string | null>
  /** Whether these are more than half of all weight, and enough operators that are believed. */
  readonly isMajority: (nodes: readonly NodeIndex[]) => boolean
  /** A majority stands on another genesis than this node. */
  readonly onForeign: (node: NodeIndex) => void
  /** What was said of this node's genesis is forgotten. */
  readonly onForgiven: (node: NodeIndex) => void
}

interface GenesisOptions {
  readonly everyMs?: number
  readonly lookMs?: number
}

export function createGenesis(
  { clock, look, isMajority, onForeign, onForgiven }: GenesisPorts,
  { everyMs = 3_600_000, lookMs = 5_000 }: GenesisOptions = {},
): Genesis {
  const askedMs = new Map<NodeIndex, number>()
  const hashes = new Map<NodeIndex, string>()
  const foreign = new Set<NodeIndex>()
  const open = new Set<Cancel>()

  async function ask(node: NodeIndex): Promise<void> {
    askedMs.set(node, clock.now())
    const controller = new Abort()
    const giveUp = () => controller.abort()
    const cancel = clock.after(lookMs, giveUp)
    open.add(giveUp)
    const hash = await look(node, controller)
    cancel()
    open.delete(giveUp)
    if (hash === null) return
    hashes.set(node, hash)
    foreign.delete(node)
    compare()
  }

  function compare(): void {
    const showing = (hash: string) => [...hashes.keys()].filter((node) => hashes.get(node) === hash)
    const common = [...new Set(hashes.values())].find((hash) => isMajority(showing(hash)))
    if (common === undefined) return
    for (const [node, hash] of hashes) {
      if (hash === common || foreign.has(node)) continue
      foreign.add(node)
      onForeign(node)
    }
  }

  return {
    check(nodes) {
      for (const node of nodes)
        if (clock.now() - (askedMs.get(node) ?? Number.NEGATIVE_INFINITY) >= everyMs) void ask(node)
    },
    forget() {
      for (const node of foreign) onForgiven(node)
      askedMs.clear()
      hashes.clear()
      foreign.clear()
    },
    close() {
      for (const giveUp of open) giveUp()
    },
  }
}
