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

/** Decides what a look means for the agreed block of its tag. */
export function decide(known: Known, look: Look, rules: Rules): Decision {
  const { head, shown } = known
  const { isQuorum, operatorOf } = rules
  const hasSpoken = (voter: number, number: number) => (look.heard.get(voter) ?? -1) >= number
  const voices = { hasSpoken, operatorOf }
  // What silent voters showed in an earlier look says nothing about now.
  const speaking = shown.filter(({ voter }) => look.heard.has(voter))
  const to = rankedNumber(speaking, isQuorum)
  if (to === null) return { kind: 'nothing' }
  const support = highestShown(shown, { from: Math.max(to - rules.walkMax, 0), to, isQuorum, ...voices })
  if (support === null) return { kind: 'nothing' }

  const { number, hash } = support.block
  const found: Found = {
    block: look.headers.agreed(support.block, isQuorum),
    voters: support.voters,
    asked: look.asked,
  }
  const ours = known.hashAt(number)
  if (ours === null || ours === hash)
    return head !== null && number < head.number
      ? decideLower({ head, found, isOurs: ours !== null }, known, look, isQuorum)
      : { kind: 'adopt', found }

  // Two quorums contradict each other: ask everybody, and keep our block as long as it still has a quorum.
  const loyal = shown.filter(({ view }) => view.hashAt(number) === ours).map(({ voter }) => voter)
  if (isQuorum(loyal) && look.asked.length < look.votersCount)
    return { kind: 'ask-everybody', isLower: false }
  return head !== null && isQuorum(shownAt(number, shown, voices).get(ours) ?? [])
    ? { kind: 'keep', isLower: false }
    : { kind: 'adopt', found }
}

interface Lower {
  readonly head: BlockId
  readonly found: Found
  /** The found block is on our chain, as far as we know it. */
  readonly isOurs: boolean
}

/** The look found a block below the head that does not contradict our chain. */
function decideLower(
  { head, found, isOurs }: Lower,
  { shown, mayReset }: Known,
  { heard, isComplete }: Look,
  isQuorum: Rules['isQuorum'],
): Decision {
  const keep = { kind: 'keep', isLower: true } as const
  // The nodes are behind us on our chain.
  if (!mayReset) return keep
  if (!isComplete) return { kind: 'ask-everybody', isLower: true }
  const showsHead = ({ voter, view }: Showing) =>
    (heard.get(voter) ?? -1) >= head.number && (view.hashAt(head.number) ?? head.hash) === head.hash
  const showing = shown.filter(showsHead).map(({ voter }) => voter)
  // On our own chain, the others may only lag as long as one node shows the head.
  const isReset = isOurs
    ? showing.length === 0
    : isQuorum(found.voters.filter((voter) => !showing.includes(voter)))
  return isReset ? { kind: 'reset', from: head, found } : keep
}
