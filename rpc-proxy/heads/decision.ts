import type { BlockId } from '../events.ts'
import type { Look } from './headers.ts'
import { type AgreedBlock, highestShown, rankedNumber, type Showing, shownAt } from './views.ts'

/** A block that a quorum shows in a look. */
export interface Found {
  readonly block: AgreedBlock
  /** Places of the voters that showed this hash, and of all that were asked. */
  readonly voters: readonly number[]
  readonly asked: readonly number[]
}

/** What is known under a tag before the look is judged. */
export interface Known {
  /** The agreed block. */
  readonly head: BlockId | null
  /** The agreed hash at a number of the head's own branch; null where there is none. */
  readonly hashAt: (number: number) => string | null
  /** What each voter has shown so far, this look included. */
  readonly shown: readonly Showing[]
  /** No quorum has shown the head for so long that a lower block may replace it. */
  readonly mayReset: boolean
}

export interface Rules {
  readonly isQuorum: (voters: readonly number[]) => boolean
  /** A voter's operator, by its place in the electorate. */
  readonly operatorOf: (voter: number) => number
  /** How many blocks below the highest possible one are searched. */
  readonly walkMax: number
}

/** What a look means. `isLower`: it found a block below the head. */
export type Decision =
  /** No quorum shows a block. */
  | { readonly kind: 'nothing' }
  /** It cannot be decided before every voter has been asked. */
  | { readonly kind: 'ask-everybody'; readonly isLower: boolean }
  /** The agreed block stands. */
  | { readonly kind: 'keep'; readonly isLower: boolean }
  /** The chain was reset: the head, `from`, is replaced by a lower block. */
  | { readonly kind: 'reset'; readonly from: BlockId; readonly found: Found }
  | { readonly kind: 'adopt'; readonly found: Found }

const lowerKept: Decision = { kind: 'keep', isLower: true }

/** Decides what a look means for the agreed block of its tag. */
export function decide(known: Known, look: Look, { isQuorum, operatorOf, walkMax }: Rules): Decision {
  const { head, shown } = known
  const { heard, headers, asked, votersCount, isComplete } = look
  const voices = {
    hasSpoken: (voter: number, number: number) => (heard.get(voter) ?? -1) >= number,
    operatorOf,
  }
  // What silent voters showed in an earlier look says nothing about now.
  const speaking = shown.filter(({ voter }) => heard.has(voter))
  const to = rankedNumber(speaking, isQuorum)
  if (to === null) return { kind: 'nothing' }
  const support = highestShown(shown, { from: Math.max(to - walkMax, 0), to, isQuorum, ...voices })
  if (support === null) return { kind: 'nothing' }

  const { block, voters } = support
  const found = { block: headers.agreed(block, isQuorum), voters, asked }
  const ours = known.hashAt(block.number)
  if (ours === null || ours === block.hash) {
    if (head === null || block.number >= head.number) return { kind: 'adopt', found }
    // The nodes are behind us.
    if (!known.mayReset) return lowerKept
    if (!isComplete) return { kind: 'ask-everybody', isLower: true }
    const loyal = votersOf(head, shown, heard)
    // On our own chain, the others may only lag as long as one node shows the head.
    const isReset =
      ours === null ? isQuorum(voters.filter((voter) => !loyal.includes(voter))) : loyal.length === 0
    return isReset ? { kind: 'reset', from: head, found } : lowerKept
  }

  // Two quorums contradict each other: ask everybody, and keep our block as long as it still has a quorum.
  const loyal = shown.filter(({ view }) => view.hashAt(block.number) === ours).map(({ voter }) => voter)
  if (isQuorum(loyal) && asked.length < votersCount) return { kind: 'ask-everybody', isLower: false }
  return head !== null && isQuorum(shownAt(block.number, shown, voices).get(ours) ?? [])
    ? { kind: 'keep', isLower: false }
    : { kind: 'adopt', found }
}

/** Voters that have spoken of this height or a later one and do not show another block there. */
function votersOf({ number, hash }: BlockId, shown: readonly Showing[], heard: Look['heard']): number[] {
  const isLoyal = ({ voter, view }: Showing) =>
    (heard.get(voter) ?? -1) >= number && (view.hashAt(number) ?? hash) === hash
  return shown.filter(isLoyal).map(({ voter }) => voter)
}
