import { type Answered, endOf, list, pinnedKey, type Report, startOf } from './answered.ts'
import { type Asked, keyOf } from './asked.ts'
import type { Cast, Network } from './network.ts'
import { castsWithin, isQuorum, sayers, twoFaced, weightOf } from './recount.ts'
import { unsent } from './signed.ts'
import type { WorldChain } from './world.ts'

/** A number of which every node has its own: the median of them, or the highest that a quorum reaches. */
export function judgeNumber(answered: Answered, network: Network, meaning: string, report: Report): void {
  const { chain, entry, reply, bar, isRough } = answered
  const key =
    entry.agreement === 'highest' ? keyOf(entry.asked as Asked) : pinnedKey(entry.asked as Asked, reply.block)
  const isFirst = reply.cache === 'miss'
  // What hangs on the head alone is known for as long as that is the head.
  const since = isFirst
    ? startOf(answered)
    : reply.cache === 'hit' && entry.asked?.block.kind === 'none'
      ? answered.orderOfHead
      : 0
  const casts = castsWithin(network, chain, key, since, endOf(answered))
  const isAlone = isFirst && !isRough && !answered.isCrowded
  // Every node has a number of its own: only who says a number here and something else there contradicts itself.
  const kinds = casts.map((cast) => (isNumber(cast) ? { ...cast, meaning: 'a number' } : cast))
  const split = isAlone ? twoFaced(kinds) : new Set<string>()
  if (!meaning.startsWith('"0x')) {
    const supporters = sayers(casts, meaning)
    for (const operator of split) supporters.delete(operator)
    if (!isQuorum(chain, bar, supporters))
      report('S1', `${entry.text} = ${meaning}, said by ${list(supporters)} only`)
    return
  }
  const value = BigInt(JSON.parse(meaning) as string)
  const numbers = casts.filter((cast) => isNumber(cast) && !split.has(cast.node.operator))
  const numberOf = (cast: Cast) => BigInt(JSON.parse(cast.meaning) as string)
  const voters = new Set(numbers.map(({ node }) => node.operator))
  const operators = new Set(chain.nodes.map(({ operator }) => operator))
  if (isAlone && answered.soundness.isCalm && entry.agreement === 'median' && voters.size < operators.size)
    report('S1', `${entry.text} = ${value}, by ${list(voters)} alone, and all of them are well`)
  if (!isQuorum(chain, bar, voters))
    report('S1', `${entry.text} = ${value}, a median of ${list(voters)} only`)
  if (entry.agreement === 'highest') {
    const reaching = new Set(
      numbers.filter((cast) => numberOf(cast) >= value).map(({ node }) => node.operator),
    )
    if (
      !isQuorum(chain, bar, reaching) &&
      !isOwnNonce(chain, value) &&
      !isLatestNonce(answered, network, meaning)
    )
      report('S1', `${entry.text} = ${value}, reached by ${list(reaching)} only`)
    return
  }
  const honest = numbers.filter(({ node }) => node.phases.every(({ character }) => character.kind !== 'liar'))
  const liars = new Set(numbers.filter((cast) => !honest.includes(cast)).map(({ node }) => node.operator))
  // Where several asks of the same were on their way, this one may have heard a quorum of them and no more.
  const heard = isAlone ? weightOf(chain, voters) : Math.min(bar.quorum, weightOf(chain, voters))
  if (weightOf(chain, liars) * 2 >= heard || honest.length === 0) return
  const values = honest.map(numberOf).sort((a, b) => (a < b ? -1 : 1))
  const [low, high] = [values[0] as bigint, values.at(-1) as bigint]
  if (value < low || value > high)
    report('S1', `${entry.text} = ${value}, honest nodes said ${low} to ${high}`)
}

function isNumber({ meaning }: Cast): boolean {
  return meaning.startsWith('"0x')
}

/** One more than a broadcast of ours that was accepted. */
function isOwnNonce({ id }: WorldChain, value: bigint): boolean {
  return (unsent.get(id) ?? []).some(({ nonce }) => BigInt(nonce + 1) === value)
}

/** What a quorum says of an agreed block, or of the one below it where a quorum lacks that: a pending nonce is never below it. */
function isLatestNonce(
  { chain, entry, bar, told, to }: Answered,
  network: Network,
  meaning: string,
): boolean {
  return told
    .flatMap(({ number }) => [number, number - 1])
    .some((number) => {
      const key = keyOf({ ...(entry.asked as Asked), block: { kind: 'number', number } })
      return isQuorum(chain, bar, sayers(castsWithin(network, chain, key, 0, to), meaning))
    })
}
