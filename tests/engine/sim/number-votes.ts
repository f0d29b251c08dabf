import { isQuorum } from './bars.ts'
import { endOf, type JudgedCall, list, type Report, startOf } from './judged-call.ts'
import type { Network, ReceivedVote } from './network.ts'
import { contradicting, votersFor, votesWithin } from './recount.ts'

/** The votes on a call that nodes answer with different numbers. */
export interface NumberVotes {
  readonly votes: readonly ReceivedVote[]
  /** Operators whose nodes contradict each other, where the votes are those of this call alone. */
  readonly split: ReadonlySet<string>
  readonly isAlone: boolean
  /** Those of the others that are numbers. */
  readonly numbers: readonly ReceivedVote[]
}

export function numberVotes(judged: JudgedCall, network: Network, key: string): NumberVotes {
  const { chain, reply, isRough, isCrowded } = judged
  const isFirst = reply.cache === 'miss'
  const votes = votesWithin(network, chain, key, isFirst ? startOf(judged) : 0, endOf(judged))
  const isAlone = isFirst && !isRough && !isCrowded
  // Nodes of one operator may report different numbers. Only a number and a non-number contradict each other.
  const kinds = votes.map((vote) => (isNumber(vote.meaning) ? { ...vote, meaning: 'a number' } : vote))
  const split = isAlone ? contradicting(kinds) : new Set<string>()
  const numbers = votes.filter(({ meaning, node }) => isNumber(meaning) && !split.has(node.operator))
  return { votes, split, isAlone, numbers }
}

/** A result that is no number, such as a revert, is what a quorum says. */
export function judgeWord(
  { chain, entry, bar }: JudgedCall,
  { votes, split }: NumberVotes,
  meaning: string,
  report: Report,
): void {
  const supporters = votersFor(votes, meaning)
  for (const operator of split) supporters.delete(operator)
  if (!isQuorum(chain, bar, supporters))
    report('S1', `${entry.text} = ${meaning}, said by ${list(supporters)} only`)
}

export const isNumber = (meaning: string) => meaning.startsWith('"0x')
export const numberOf = (meaning: string) => BigInt(JSON.parse(meaning) as string)
