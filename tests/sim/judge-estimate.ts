import { type Answered, endOf, list, pinnedKey, type Report, startOf } from './answered.ts'
import { type Asked, callGas, subjectWithGas } from './asked.ts'
import type { Cast, Network } from './network.ts'
import { castsWithin, contradicting, isQuorum, votersFor, weightOf } from './recount.ts'
import { blockIn, needAt } from './truth.ts'

/** eth_call does not charge for L1 data there. */
const arbitrum = 42161

/**
 * An estimate lies between two quorums, one with reports at most that high and one with reports at least that high; or it
 * is the smallest reported value with which the call succeeds for a quorum.
 */
export function judgeEstimate(answered: Answered, network: Network, meaning: string, report: Report): void {
  const { chain, entry, reply, bar } = answered
  const { casts, numbers, split, isAlone } = reportsOn(answered, network)
  if (!isNumber(meaning)) {
    const supporters = votersFor(casts, meaning)
    for (const operator of split) supporters.delete(operator)
    if (!isQuorum(chain, bar, supporters))
      report('S1', `${entry.text} = ${meaning}, said by ${list(supporters)} only`)
    return
  }
  const value = numberOf(meaning)
  judgeNeed(answered, value, report)
  if (value > BigInt(callGas)) report('S1', `${entry.text} = ${value}, above the gas cap`)
  const atMost = operatorsOf(numbers.filter((cast) => numberOf(cast.meaning) <= value))
  const atLeast = operatorsOf(numbers.filter((cast) => numberOf(cast.meaning) >= value))
  const isClaimed = (weight: number) => isAlone && (reply.agreed ?? 0) > weight
  if (isQuorum(chain, bar, atMost) && isQuorum(chain, bar, atLeast)) {
    const weight = Math.min(weightOf(chain, atMost), weightOf(chain, atLeast))
    if (isClaimed(weight)) report('S1', `${entry.text} = ${value} claims ${reply.agreed}, and has ${weight}`)
    return
  }
  const confirming = confirmingOf(answered, network, value)
  const isReported = numbers.some((cast) => numberOf(cast.meaning) === value)
  if (chain.id === arbitrum || !isReported || !isQuorum(chain, bar, confirming))
    report(
      'S1',
      `${entry.text} = ${value}: at most that ${list(atMost)}, at least that ${list(atLeast)}, succeeds with that ${list(confirming)}`,
    )
  if (!isAlone) return
  if (isClaimed(weightOf(chain, confirming)))
    report('S1', `${entry.text} = ${value} claims ${reply.agreed}, confirmed by ${list(confirming)}`)
  for (const smaller of new Set(
    numbers.map((cast) => numberOf(cast.meaning)).filter((other) => other < value),
  )) {
    if (!isTried(answered, network, smaller))
      report('S1', `${entry.text} = ${value}, and ${smaller} was not tried`)
    else if (isQuorum(chain, bar, confirmingOf(answered, network, smaller)))
      report('S1', `${entry.text} = ${value}, and ${smaller} was confirmed`)
  }
}

/** Reports a failure when some reported value lies between two quorums. */
export function judgeLostEstimate(answered: Answered, network: Network, report: Report): void {
  const { chain, entry, reply, bar, startMs, endMs } = answered
  if (reply.block === null || answered.isBatched || endMs - startMs >= chain.deadlineMs) return
  const { numbers, isAlone } = reportsOn({ ...answered, reply: { ...reply, cache: 'miss' } }, network)
  // Votes of a batch may belong to aborted calls.
  if (!isAlone || numbers.some(({ isSure }) => !isSure)) return
  for (const { meaning } of numbers) {
    const value = numberOf(meaning)
    const isSide = (isMeant: (other: bigint) => boolean) =>
      isQuorum(chain, bar, operatorsOf(numbers.filter((cast) => isMeant(numberOf(cast.meaning)))))
    if (isSide((other) => other <= value) && isSide((other) => other >= value))
      report('S10', `${entry.text} failed although ${value} lies between two quorums`)
  }
}

/** Estimates of honest nodes may differ without a way to confirm one. */
export function mayDiffer({ chain, entry }: Answered): boolean {
  return entry.agreement === 'estimate' && chain.id === arbitrum
}

/** With fewer liars than a quorum, no estimate is below the needed gas. */
function judgeNeed({ chain, entry, reply, heads, soundness }: Answered, value: bigint, report: Report): void {
  // During a reorg, honest nodes may be on two branches with different gas needs.
  if (!soundness.isSound || chain.hasReorg) return
  const asked = entry.asked as Asked
  const isTag = asked.block.kind === 'tag' && asked.block.tag !== 'earliest'
  const block =
    isTag && reply.block !== null ? ({ kind: 'number', number: reply.block } as const) : asked.block
  const needs = heads.flatMap((tip) => {
    const found = blockIn(tip, { ...asked, block })
    return found === null ? [] : [needAt(chain.id, found, asked.subject)]
  })
  if (needs.length > 0 && needs.every((need) => value < BigInt(need)))
    report('S2', `${entry.text} at ${reply.block} = ${value}, and it needs ${Math.min(...needs)}`)
}

/** eth_call with this gas. */
function trialKey({ entry, reply }: Answered, value: bigint): string {
  const asked = entry.asked as Asked
  const call: Asked = { ...asked, method: 'eth_call', subject: subjectWithGas(asked.subject, value) }
  return pinnedKey(call, reply.block)
}

function isTried(answered: Answered, network: Network, value: bigint): boolean {
  const since = startOf(answered)
  return network.sends(answered.chain, trialKey(answered, value)).some(({ order }) => order >= since)
}

/** Operators for which the call succeeds with this gas. */
function confirmingOf(answered: Answered, network: Network, value: bigint): ReadonlySet<string> {
  const { chain, reply } = answered
  const since = reply.cache === 'miss' ? startOf(answered) : 0
  const casts = castsWithin(network, chain, trialKey(answered, value), since, endOf(answered))
  const ends = casts.map((cast) => (isNumber(cast.meaning) ? { ...cast, meaning: 'succeeds' } : cast))
  const confirming = votersFor(ends, 'succeeds')
  for (const operator of contradicting(ends)) confirming.delete(operator)
  return confirming
}

/** The reports during the call. Only the first number of each operator counts. */
function reportsOn(answered: Answered, network: Network) {
  const { chain, entry, reply, isRough } = answered
  const isFirst = reply.cache === 'miss'
  const key = pinnedKey(entry.asked as Asked, reply.block)
  const casts = castsWithin(network, chain, key, isFirst ? startOf(answered) : 0, endOf(answered))
  const isAlone = isFirst && !isRough && !answered.isCrowded
  // Nodes of one operator may report different numbers. Only a number and a non-number contradict each other.
  const kinds = casts.map((cast) => (isNumber(cast.meaning) ? { ...cast, meaning: 'a number' } : cast))
  const split = isAlone ? contradicting(kinds) : new Set<string>()
  const loyal = casts.filter((cast) => isNumber(cast.meaning) && !split.has(cast.node.operator))
  return { casts, split, isAlone, numbers: isAlone ? firstWords(loyal) : loyal }
}

function firstWords(casts: readonly Cast[]): readonly Cast[] {
  const heard = new Set<string>()
  return casts.filter(({ isSure, node: { operator } }) => {
    if (!isSure) return true
    const isNew = !heard.has(operator)
    heard.add(operator)
    return isNew
  })
}

const operatorsOf = (casts: readonly Cast[]) => new Set(casts.map(({ node }) => node.operator))
const isNumber = (meaning: string) => meaning.startsWith('"0x')
const numberOf = (meaning: string) => BigInt(JSON.parse(meaning) as string)
