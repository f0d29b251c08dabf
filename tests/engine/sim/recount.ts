import { type Bar, isQuorum } from './bars.ts'
import type { Network, ReceivedVote } from './network.ts'
import type { WorldChain } from './world.ts'

/** Operators with exactly this answer. */
export function votersFor(votes: readonly ReceivedVote[], meaning: string): Set<string> {
  const operators = new Set<string>()
  for (const vote of votes) if (vote.meaning === meaning) operators.add(vote.node.operator)
  return operators
}

/** Operators that support this answer. A pending transaction is also supported by those that have it in a block. */
export function supportersOf(votes: readonly ReceivedVote[], meaning: string): Set<string> {
  const signed = waitingPart(meaning)
  if (signed === null) return votersFor(votes, meaning)
  return new Set(votes.filter((vote) => signedPart(vote.meaning) === signed).map(({ node }) => node.operator))
}

/** The fields of a pending transaction without its block; null for other answers. */
export function waitingPart(meaning: string): string | null {
  return meaning.includes('"blockHash":null') ? signedPart(meaning) : null
}

/** Any answer without block fields. */
export function signedPart(meaning: string): string {
  return meaning.replace(/"(blockHash|blockNumber|transactionIndex)":(null|"[^"]*")/g, '')
}

/** Operators whose nodes contradict each other. */
export function contradicting(votes: readonly ReceivedVote[]): Set<string> {
  const first = new Map<string, ReceivedVote>()
  const split = new Set<string>()
  for (const vote of votes) {
    if (!vote.isSure) continue
    const { operator } = vote.node
    const known = first.get(operator)
    if (known === undefined) first.set(operator, vote)
    else if (known.node !== vote.node && known.meaning !== vote.meaning) split.add(operator)
  }
  return split
}

/** When this group first became a quorum; null if never. */
export function quorumAtMs(
  chain: WorldChain,
  bar: Bar,
  votes: readonly ReceivedVote[],
  meaning: string,
): number | null {
  const operators = new Set<string>()
  for (const vote of votes) {
    if (vote.meaning !== meaning) continue
    operators.add(vote.node.operator)
    if (isQuorum(chain, bar, operators)) return vote.atMs
  }
  return null
}

/** Votes on a key between two sequence numbers. */
export function votesWithin(
  network: Network,
  chain: WorldChain,
  key: string,
  from: number,
  to: number,
): readonly ReceivedVote[] {
  return network.votes(chain, key).filter(({ order }) => order >= from && order <= to)
}
