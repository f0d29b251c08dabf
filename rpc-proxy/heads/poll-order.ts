import type { BlockId } from '../events/evidence-types.ts'
import { type Electorate, isQuorum, operatorOfNode, operatorsOfNodes } from '../quorum/electorate.ts'
import { isVoterDown } from '../quorum/verdict.ts'
import type { NodeIndex } from '../runtime/indexes.ts'
import type { NodeView } from './head-views.ts'

/** A node as a poll may ask it. */
export interface PollCandidate {
  readonly node: NodeIndex
  readonly isUsable: boolean
  /** It is asked in every poll, and none waits for it: a probe, or it failed in the last poll. */
  readonly due: boolean
  /** Polled only where a voter is unusable or fails, or the voters do not agree. */
  readonly isWitness: boolean
  /** Its state is not `usable`, or it failed in the last poll. */
  readonly isDown: boolean
}

/** Nodes that failed in the last poll are not usable. */
export function withFailures(
  candidates: readonly PollCandidate[],
  isFailing: (node: NodeIndex) => boolean,
): readonly PollCandidate[] {
  // One that is not usable is left alone until it is due.
  const failing = { isUsable: false, isDown: true }
  return candidates.map((each) =>
    isFailing(each.node) ? { ...each, ...failing, due: each.due || each.isUsable } : each,
  )
}

export function usableFirst(candidates: readonly PollCandidate[]): readonly PollCandidate[] {
  return candidates.toSorted((a, b) => Number(b.isUsable) - Number(a.isUsable))
}

/** An operator that votes every day has no node that is usable and has not failed. */
export function isVoterMissing(
  candidates: readonly PollCandidate[],
  electorate: Electorate,
  isFailing: (node: NodeIndex) => boolean,
): boolean {
  return isVoterDown(
    candidates.map(({ node, isWitness, isDown }) => ({
      operator: operatorOfNode(electorate, node),
      isWitness,
      isDown: isDown || isFailing(node),
    })),
  )
}

/** A voter shows another block at the number of the agreed one. */
export function isVoterOutvoted(
  candidates: readonly PollCandidate[],
  nodeViews: readonly NodeView[],
  agreed: BlockId | null,
): boolean {
  if (agreed === null) return false
  const { number, hash } = agreed
  return nodeViews.some(
    ({ node, view }) =>
      (view.hashAt(number) ?? hash) !== hash &&
      candidates.some((each) => each.node === node && !each.isWitness),
  )
}

/** A poll waits for `first`, a quorum of nodes that are not late and one node more. `others` are asked at the same time. */
export function inTurn(
  candidates: readonly PollCandidate[],
  electorate: Electorate,
  { isLate, isLongUnpolled }: Readonly<Record<'isLate' | 'isLongUnpolled', (node: NodeIndex) => boolean>>,
): Record<'first' | 'others', readonly NodeIndex[]> {
  const first: NodeIndex[] = []
  for (const { node, isUsable } of candidates) {
    const prompt = first.filter((each) => !isLate(each))
    const isEnough = isQuorum(electorate, operatorsOfNodes(electorate, prompt))
    // A poll does not wait for an extra node that is not usable.
    if (isEnough && !isUsable) break
    first.push(node)
    if (isEnough) break
  }
  const others = candidates.filter(({ node, due }) => !first.includes(node) && (due || isLongUnpolled(node)))
  return { first, others: others.map(({ node }) => node) }
}
