import type { BlockId } from '../events/evidence-types.ts'
import { isQuorum, operatorsOfNodes } from '../quorum/electorate.ts'
import type { NodeIndex } from '../runtime/indexes.ts'
import {
  type AgreedBlock,
  countedNodes,
  groupsAt,
  highestGroup,
  type NodeView,
  rankedNumber,
} from './head-views.ts'
import type { PollState } from './poll-state.ts'

/** A block that a quorum shows in a poll. */
export interface FoundHead {
  readonly block: AgreedBlock
  /** Its time, or that of a block a little above it, epoch milliseconds; null where no quorum tells. */
  readonly timeMs: number | null
  /** The nodes that showed this hash, and all that were asked. */
  readonly nodes: readonly NodeIndex[]
  readonly polled: readonly NodeIndex[]
}

/** What is known under a tag before the poll is judged. */
interface Known {
  readonly head: BlockId | null
  /** The agreed hash at a number of the head's own branch; null where there is none. */
  readonly hashAt: (number: number) => string | null
  /** What each node has shown so far, this poll included. */
  readonly nodeViews: readonly NodeView[]
  /** No quorum has shown the head for so long that a lower block may replace it. */
  readonly mayReset: boolean
  /** The nodes that have shown the head are a quorum of the deciding electorate. */
  readonly isConfirmed: boolean
}

/** What a poll means. `isLower`: it found a block below the head. */
export type HeadDecision =
  /** No quorum shows a block. */
  | { readonly kind: 'nothing' }
  /** Witnesses show another block at the number of the agreed one, which no more than half of all weight shows. */
  | { readonly kind: 'contradicted'; readonly isLower: boolean }
  /** It cannot be decided before every node has been asked. */
  | { readonly kind: 'poll-everybody'; readonly isLower: boolean }
  /** The agreed block stands. */
  | { readonly kind: 'keep'; readonly isLower: boolean }
  /** The chain was reset: the head, `from`, is replaced by a lower block. */
  | { readonly kind: 'reset'; readonly from: BlockId; readonly found: FoundHead }
  | { readonly kind: 'adopt'; readonly found: FoundHead }

/** How far a poll walks back from the highest possible block for one that a quorum shows. */
export const walkMax = 64

const keepLower: HeadDecision = { kind: 'keep', isLower: true }

export function decideHead(known: Known, poll: PollState): HeadDecision {
  const { head, nodeViews } = known
  const { electorate, heard, headers, polled, nodesCount, isComplete } = poll
  const isQuorumOf = (nodes: readonly NodeIndex[]) =>
    isQuorum(electorate, operatorsOfNodes(electorate, nodes))
  const voting = {
    electorate,
    hasSpoken: (node: NodeIndex, number: number) => (heard.get(node) ?? -1) >= number,
  }
  // What silent nodes showed in an earlier poll says nothing about now.
  const speaking = nodeViews.filter(({ node }) => heard.has(node))
  const to = rankedNumber(speaking, electorate)
  if (to === null) return { kind: 'nothing' }
  if (head !== null && poll.isThin && isHeadContradicted(head, nodeViews, poll))
    return { kind: 'contradicted', isLower: false }
  // Of two quorums at one number neither is believed: the block below them may be that of both.
  const hasRival = ({ number, hash }: BlockId) =>
    groupsAt(number, nodeViews, voting).some(
      ({ block, operators }) => block.hash !== hash && isQuorum(electorate, operators),
    )
  const mayWin = (block: BlockId) =>
    !(poll.isThin && (isUnconfirmed(block, nodeViews, poll) || hasRival(block)))
  const highest = highestGroup(nodeViews, { from: Math.max(to - walkMax, 0), to, mayWin, ...voting })
  if (highest === null) return { kind: 'nothing' }

  const { block } = highest
  const nodes = countedNodes(highest, electorate)
  const found = {
    block: headers.agreed(block, electorate),
    timeMs: headers.timeMs(electorate),
    nodes,
    polled,
  }
  const ours = known.hashAt(block.number)
  if (ours === null || ours === block.hash) {
    if (head === null || block.number >= head.number) return { kind: 'adopt', found }
    // The nodes are behind us, or on another branch than a head that voters alone have shown.
    if (!known.mayReset) {
      if (poll.policy !== 'tightened') return keepLower
      // The nodes that have not been asked may confirm it.
      if (polled.length < nodesCount) return { kind: 'poll-everybody', isLower: true }
      return !known.isConfirmed && isHeadContradicted(head, nodeViews, poll)
        ? { kind: 'contradicted', isLower: true }
        : keepLower
    }
    if (!isComplete) return { kind: 'poll-everybody', isLower: true }
    const loyal = nodesAt(head, nodeViews, heard)
    // On our own chain, the others may only lag as long as one node shows the head.
    const isReset =
      ours === null ? isQuorumOf(nodes.filter((node) => !loyal.includes(node))) : loyal.length === 0
    return isReset ? { kind: 'reset', from: head, found } : keepLower
  }

  // Two quorums contradict each other: ask everybody, and keep our block as long as it still has a quorum.
  const loyal = nodeViews.filter(({ view }) => view.hashAt(block.number) === ours).map(({ node }) => node)
  if (isQuorumOf(loyal) && polled.length < nodesCount) return { kind: 'poll-everybody', isLower: false }
  const own = groupsAt(block.number, nodeViews, voting).find((group) => group.block.hash === ours)
  return head !== null && own !== undefined && isQuorum(electorate, own.operators)
    ? { kind: 'keep', isLower: false }
    : { kind: 'adopt', found }
}

/** Nodes that have shown this height or a later one and do not show another block there. */
function nodesAt(
  { number, hash }: BlockId,
  nodeViews: readonly NodeView[],
  heard: PollState['heard'],
): NodeIndex[] {
  const isLoyal = ({ node, view }: NodeView) =>
    (heard.get(node) ?? -1) >= number && (view.hashAt(number) ?? hash) === hash
  return nodeViews.filter(isLoyal).map(({ node }) => node)
}

/** Silence may make a head thin; a witness that has passed its number and does not show it is not passed over. */
function isUnconfirmed(
  { number, hash }: BlockId,
  nodeViews: readonly NodeView[],
  { witnesses, heard, silent }: PollState,
): boolean {
  const isAgainst = ({ node, view }: NodeView) =>
    witnesses.includes(node) &&
    (heard.get(node) ?? -1) >= number &&
    (view.hashAt(number) === null ? !silent.has(node) : view.hashAt(number) !== hash)
  return nodeViews.some(isAgainst)
}

/** Unconfirmed by what witnesses show, not by what they have not shown yet. */
function isHeadContradicted(block: BlockId, nodeViews: readonly NodeView[], poll: PollState): boolean {
  const showing = nodeViews.filter(({ view }) => view.hashAt(block.number) !== null)
  return isUnconfirmed(block, showing, poll)
}
