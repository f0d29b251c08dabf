import { type Answered, endOf, list, type Report, startOf } from './answered.ts'
import { type Asked, keyOf } from './asked.ts'
import type { Cast, Network } from './network.ts'
import { castsWithin, contradicting, isQuorum, votersFor } from './recount.ts'
import { unsent } from './signed.ts'
import type { WorldChain } from './world.ts'

/** Checks a pending nonce: the highest that a quorum reaches. */
export function judgeNumber(answered: Answered, network: Network, meaning: string, report: Report): void {
  const { chain, entry, reply, bar, isRough } = answered
  const isFirst = reply.cache === 'miss'
  const since = isFirst ? startOf(answered) : 0
  const casts = castsWithin(network, chain, keyOf(entry.asked as Asked), since, endOf(answered))
  const isAlone = isFirst && !isRough && !answered.isCrowded
  // Nodes of one operator may report different numbers. Only a number and a non-number contradict each other.
  const kinds = casts.map((cast) => (isNumber(cast) ? { ...cast, meaning: 'a number' } : cast))
  const split = isAlone ? contradicting(kinds) : new Set<string>()
  if (!meaning.startsWith('"0x')) {
    const supporters = votersFor(casts, meaning)
    for (const operator of split) supporters.delete(operator)
    if (!isQuorum(chain, bar, supporters))
      report('S1', `${entry.text} = ${meaning}, said by ${list(supporters)} only`)
    return
  }
  const value = BigInt(JSON.parse(meaning) as string)
  const reaching = new Set(
    casts
      .filter((cast) => isNumber(cast) && !split.has(cast.node.operator) && numberOf(cast) >= value)
      .map(({ node }) => node.operator),
  )
  if (
    !isQuorum(chain, bar, reaching) &&
    !isOwnNonce(chain, value) &&
    !isLatestNonce(answered, network, meaning)
  )
    report('S1', `${entry.text} = ${value}, reached by ${list(reaching)} only`)
}

const isNumber = ({ meaning }: Cast) => meaning.startsWith('"0x')
const numberOf = (cast: Cast) => BigInt(JSON.parse(cast.meaning) as string)

/** One more than the nonce of an accepted broadcast. */
function isOwnNonce({ id }: WorldChain, value: bigint): boolean {
  return (unsent.get(id) ?? []).some(({ nonce }) => BigInt(nonce + 1) === value)
}

/** The agreed nonce at the head, or one block lower if a quorum lacks it. A pending nonce is never below it. */
function isLatestNonce(
  { chain, entry, bar, reported, to }: Answered,
  network: Network,
  meaning: string,
): boolean {
  return reported
    .flatMap(({ number }) => [number, number - 1])
    .some((number) => {
      const key = keyOf({ ...(entry.asked as Asked), block: { kind: 'number', number } })
      return isQuorum(chain, bar, votersFor(castsWithin(network, chain, key, 0, to), meaning))
    })
}
