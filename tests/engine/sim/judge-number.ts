import { isAnyQuorum, isQuorum } from './bars.ts'
import { endOf, type JudgedCall, list, type Report, startOf } from './judged-call.ts'
import type { Network, ReceivedVote } from './network.ts'
import { keyOf, type ParsedCall } from './parsed-call.ts'
import { contradicting, votersFor, votesWithin } from './recount.ts'
import { unsent } from './signed.ts'
import type { WorldChain } from './world.ts'

/** Checks a pending nonce: the highest that a quorum reaches. */
export function judgeNumber(judged: JudgedCall, network: Network, meaning: string, report: Report): void {
  const { chain, entry, reply, bar, isRough } = judged
  const isFirst = reply.cache === 'miss'
  const since = isFirst ? startOf(judged) : 0
  const votes = votesWithin(network, chain, keyOf(entry.call as ParsedCall), since, endOf(judged))
  const isAlone = isFirst && !isRough && !judged.isCrowded
  // Nodes of one operator may report different numbers. Only a number and a non-number contradict each other.
  const kinds = votes.map((vote) => (isNumber(vote) ? { ...vote, meaning: 'a number' } : vote))
  const split = isAlone ? contradicting(kinds) : new Set<string>()
  if (!meaning.startsWith('"0x')) {
    const supporters = votersFor(votes, meaning)
    for (const operator of split) supporters.delete(operator)
    if (!isQuorum(chain, bar, supporters))
      report('S1', `${entry.text} = ${meaning}, said by ${list(supporters)} only`)
    return
  }
  const value = BigInt(JSON.parse(meaning) as string)
  const reaching = new Set(
    votes
      .filter((vote) => isNumber(vote) && !split.has(vote.node.operator) && numberOf(vote) >= value)
      .map(({ node }) => node.operator),
  )
  if (
    !isQuorum(chain, bar, reaching) &&
    !isOwnNonce(chain, value) &&
    !isLatestNonce(judged, network, meaning)
  )
    report('S1', `${entry.text} = ${value}, reached by ${list(reaching)} only`)
}

const isNumber = ({ meaning }: ReceivedVote) => meaning.startsWith('"0x')
const numberOf = (vote: ReceivedVote) => BigInt(JSON.parse(vote.meaning) as string)

/** One more than the nonce of an accepted broadcast. */
function isOwnNonce({ id }: WorldChain, value: bigint): boolean {
  return (unsent.get(id) ?? []).some(({ nonce }) => BigInt(nonce + 1) === value)
}

/** The agreed nonce at the head, or one block lower if a quorum lacks it. A pending nonce is never below it. */
function isLatestNonce(
  { chain, entry, bars, reported, to }: JudgedCall,
  network: Network,
  meaning: string,
): boolean {
  return reported
    .flatMap(({ number }) => [number, number - 1])
    .some((number) => {
      const key = keyOf({ ...(entry.call as ParsedCall), block: { kind: 'number', number } })
      return isAnyQuorum(chain, bars, votersFor(votesWithin(network, chain, key, 0, to), meaning))
    })
}
