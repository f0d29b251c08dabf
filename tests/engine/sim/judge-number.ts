import { isAnyQuorum, isQuorum } from './bars.ts'
import { type JudgedCall, list, type Report } from './judged-call.ts'
import type { Network } from './network.ts'
import { isNumber, judgeWord, numberOf, numberVotes } from './number-votes.ts'
import { keyOf, type ParsedCall } from './parsed-call.ts'
import { votersFor, votesWithin } from './recount.ts'
import { unsent } from './signed.ts'
import type { WorldChain } from './world.ts'

/** Checks a pending nonce: the highest that a quorum reaches. */
export function judgeNumber(judged: JudgedCall, network: Network, meaning: string, report: Report): void {
  const { chain, entry, bar } = judged
  const votes = numberVotes(judged, network, keyOf(entry.call as ParsedCall))
  if (!isNumber(meaning)) {
    judgeWord(judged, votes, meaning, report)
    return
  }
  const value = numberOf(meaning)
  const reaching = new Set(
    votes.numbers.filter((vote) => numberOf(vote.meaning) >= value).map(({ node }) => node.operator),
  )
  if (
    !isQuorum(chain, bar, reaching) &&
    !isOwnNonce(chain, value) &&
    !isLatestNonce(judged, network, meaning)
  )
    report('S1', `${entry.text} = ${value}, reached by ${list(reaching)} only`)
}

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
