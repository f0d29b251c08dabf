import type { BlockId } from '../events/evidence-types.ts'
import {
  contains,
  type Electorate,
  isQuorum,
  noOperators,
  operatorOfNode,
  setOf,
  union,
} from '../quorum/electorate.ts'
import { type Group, Tally } from '../quorum/tally.ts'
import type { NodeIndex } from '../runtime/indexes.ts'
import type { VerifiedHeader } from '../wire/header-hash.ts'

/** A header as one node sent it. */
export interface Header extends BlockId {
  readonly parentHash: string
  readonly logsBloom: string
  /** Null where the header names none that can be read. */
  readonly gasLimit: number | null
  /** Epoch milliseconds; null where the header names none that can be read. */
  readonly timeMs: number | null
  /** As `shortHashes` writes them; null where it has no list of hashes. */
  readonly transactions: string | null
  readonly stateRoot: string | null
  /** A header that hashes to its hash, so that its sender does not matter. Null also where this chain hashes headers in another way. */
  readonly verified: VerifiedHeader | null
}

/**
 * An agreed block. What neither follows from its hash nor was shown alike by a quorum is null: one node's word for a hash is not its
 * word for the rest.
 */
export interface AgreedBlock extends BlockId {
  readonly parentHash: string | null
  readonly logsBloom: string | null
  readonly gasLimit: number | null
  readonly transactions: string | null
  /** The root of its state; null where no header has hashed to its hash. With it, all but `transactions` follows from the hash. */
  readonly stateRoot: string | null
  /** The header that hashes to its hash; null where `stateRoot` is. */
  readonly verified: VerifiedHeader | null
}

export type Tag = 'latest' | 'safe' | 'finalized'

const blocksMax = 64

/** What one node has shown of the chain lately: hashes by number, and its latest block. */
export function createView() {
  const hashes = new Map<number, string>()
  let latest: Header | null = null

  function keep({ number, hash, parentHash }: Header): void {
    // The node's own newer word counts: after a reorg it tells other hashes for the same numbers.
    hashes.set(number, hash)
    if (number > 0) hashes.set(number - 1, parentHash)
    if (hashes.size <= blocksMax * 2) return
    for (const known of hashes.keys()) if (known < number - blocksMax) hashes.delete(known)
  }

  return {
    latest: () => latest,
    hashAt: (number: number) => hashes.get(number) ?? null,
    /** Takes in a header that the node sent as its latest. */
    saw(header: Header) {
      // Past blocks that it did not show, its chain may be another one.
      const isNext = hashes.get(header.number - 1) === header.parentHash
      if (!isNext && hashes.get(header.number) !== header.hash) hashes.clear()
      for (const known of hashes.keys()) if (known > header.number) hashes.delete(known)
      latest = header
      keep(header)
    },
    /** Takes in a header at a number that we asked for. */
    showed: keep,
  }
}

type HeadView = ReturnType<typeof createView>

export interface NodeView {
  readonly node: NodeIndex
  readonly view: HeadView
}

/** What all nodes have shown, in the order in which they first replied. */
export class HeadViews {
  readonly #views = new Map<NodeIndex, HeadView>()

  nodeViews(): readonly NodeView[] {
    return [...this.#views].map(([node, view]) => ({ node, view }))
  }

  of(node: NodeIndex): HeadView {
    const view = this.#views.get(node) ?? createView()
    this.#views.set(node, view)
    return view
  }
}

/** Nodes that show the same block at a number. */
interface BlockGroup extends Group<NodeIndex> {
  readonly block: BlockId
}

/** Which nodes count, and for which operators. */
interface Voting {
  readonly electorate: Electorate
  /** Whether what a node shows at a number counts. */
  readonly hasSpoken: (node: NodeIndex, number: number) => boolean
}

interface Search extends Voting {
  readonly from: number
  readonly to: number
  /** Whether a quorum for this block counts. */
  readonly mayWin?: (block: BlockId) => boolean
}

/** The blocks that nodes show at a number. An operator whose nodes show two of them counts for none. */
export function groupsAt(
  number: number,
  nodeViews: readonly NodeView[],
  { electorate, hasSpoken }: Voting,
): readonly BlockGroup[] {
  const tally = new Tally<BlockGroup, NodeIndex>()
  for (const { node, view } of nodeViews) {
    const hash = view.hashAt(number)
    if (hash === null || !hasSpoken(node, number)) continue
    const group =
      tally.groups.find(({ block }) => block.hash === hash) ??
      tally.open((index) => ({ index, block: { number, hash }, members: [], operators: noOperators }))
    tally.count(group, node, operatorOfNode(electorate, node))
  }
  return tally.groups
}

/** The nodes of a group whose operators count in it. */
export function countedNodes(
  { members, operators }: BlockGroup,
  electorate: Electorate,
): readonly NodeIndex[] {
  return members.filter((node) => contains(operators, operatorOfNode(electorate, node)))
}

/** Of all blocks between `from` and `to` that a quorum shows, the highest; of two at one number the one that more nodes show. */
export function highestGroup(
  nodeViews: readonly NodeView[],
  { from, to, mayWin = () => true, ...voting }: Search,
): BlockGroup | null {
  const { electorate } = voting
  for (let number = to; number >= from; number--) {
    let best: BlockGroup | null = null
    for (const group of groupsAt(number, nodeViews, voting)) {
      if (!isQuorum(electorate, group.operators) || !mayWin(group.block)) continue
      const nodes = countedNodes(group, electorate).length
      if (best === null || nodes > countedNodes(best, electorate).length) best = group
    }
    if (best !== null) return best
  }
  return null
}

/** The highest number that the latest blocks of a quorum have reached. */
export function rankedNumber(nodeViews: readonly NodeView[], electorate: Electorate): number | null {
  const sorted = nodeViews.flatMap(({ node, view }) => {
    const latest = view.latest()
    return latest === null ? [] : [{ node, number: latest.number }]
  })
  sorted.sort((a, b) => b.number - a.number)
  let reached = noOperators
  for (const { node, number } of sorted) {
    reached = union(reached, setOf(operatorOfNode(electorate, node)))
    if (isQuorum(electorate, reached)) return number
  }
  return null
}
