import { isQuorum, weightOf } from './bars.ts'
import { endOf, isSoundFor, type JudgedCall, list, pinnedKey, type Report, startOf } from './judged-call.ts'
import type { Network, ReceivedVote } from './network.ts'
import { isNumber, judgeWord, numberOf, numberVotes } from './number-votes.ts'
import { callGas, type ParsedCall, subjectWithGas } from './parsed-call.ts'
import { contradicting, quorumAtMs, votersFor, votesWithin } from './recount.ts'
import { blockIn, needAt } from './truth.ts'

/** eth_call does not charge for L1 data there. */
const arbitrum = 42161

/**
 * An estimate lies between two quorums, one with reports at most that high and one with reports at least that high; or it
 * is the smallest reported value with which the call succeeds for a quorum.
 */
export function judgeEstimate(judged: JudgedCall, network: Network, meaning: string, report: Report): void {
  const { chain, entry, reply, bar } = judged
  const reports = reportsOn(judged, network)
  const { numbers, isAlone } = reports
  if (!isNumber(meaning)) {
    judgeWord(judged, reports, meaning, report)
    return
  }
  const value = numberOf(meaning)
  judgeNeed(judged, value, report)
  if (value > BigInt(callGas)) report('S1', `${entry.text} = ${value}, above the gas cap`)
  const atMost = operatorsOf(numbers.filter((vote) => numberOf(vote.meaning) <= value))
  const atLeast = operatorsOf(numbers.filter((vote) => numberOf(vote.meaning) >= value))
  // Figures of a thin result are in the weights of what it lacks.
  const isClaimed = (weight: number) => isAlone && !reply.isThin && (reply.agreed ?? 0) > weight
  if (isQuorum(chain, bar, atMost) && isQuorum(chain, bar, atLeast)) {
    const weight = Math.min(weightOf(chain, bar, atMost), weightOf(chain, bar, atLeast))
    if (isClaimed(weight)) report('S1', `${entry.text} = ${value} claims ${reply.agreed}, and has ${weight}`)
    return
  }
  const confirming = confirmingOf(judged, network, value)
  const isReported = numbers.some((vote) => numberOf(vote.meaning) === value)
  if (chain.id === arbitrum || !isReported || !isQuorum(chain, bar, confirming))
    report(
      'S1',
      `${entry.text} = ${value}: at most that ${list(atMost)}, at least that ${list(atLeast)}, succeeds with that ${list(confirming)}`,
    )
  if (!isAlone) return
  if (isClaimed(weightOf(chain, bar, confirming)))
    report('S1', `${entry.text} = ${value} claims ${reply.agreed}, confirmed by ${list(confirming)}`)
  for (const smaller of new Set(
    numbers.map((vote) => numberOf(vote.meaning)).filter((other) => other < value),
  )) {
    if (!isTried(judged, network, smaller))
      report('S1', `${entry.text} = ${value}, and ${smaller} was not tried`)
    else if (isConfirmed(judged, network, smaller))
      report('S1', `${entry.text} = ${value}, and ${smaller} was confirmed`)
  }
}

/** Reports a failure when some reported value lies between two quorums. */
export function judgeLostEstimate(judged: JudgedCall, network: Network, report: Report): void {
  const { chain, entry, reply, bar, startMs, endMs } = judged
  if (reply.block === null || judged.isBatched || endMs - startMs >= chain.deadlineMs) return
  const { numbers, isAlone } = reportsOn({ ...judged, reply: { ...reply, cache: 'miss' } }, network)
  // Votes of a batch may belong to aborted calls.
  if (!isAlone || numbers.some(({ isSure }) => !isSure)) return
  for (const { meaning } of numbers) {
    const value = numberOf(meaning)
    const isSide = (isMeant: (other: bigint) => boolean) =>
      isQuorum(chain, bar, operatorsOf(numbers.filter((vote) => isMeant(numberOf(vote.meaning)))))
    if (isSide((other) => other <= value) && isSide((other) => other >= value))
      report('S10', `${entry.text} failed although ${value} lies between two quorums`)
  }
}

/** Estimates of honest nodes may differ without a way to confirm one. */
export function mayDiffer({ chain, entry }: JudgedCall): boolean {
  return entry.agreement === 'estimate' && chain.id === arbitrum
}

/** With fewer liars than a quorum, no estimate is below the needed gas. */
function judgeNeed(judged: JudgedCall, value: bigint, report: Report): void {
  const { chain, entry, reply, soundness } = judged
  // During a reorg, honest nodes may be on two branches with different gas needs.
  if (!isSoundFor(judged) || chain.hasReorg) return
  const heads = soundness.isSound ? judged.heads : judged.trueTips
  const call = entry.call as ParsedCall
  const isTag = call.block.kind === 'tag' && call.block.tag !== 'earliest'
  const block =
    isTag && reply.block !== null ? ({ kind: 'number', number: reply.block } as const) : call.block
  const needs = heads.flatMap((tip) => {
    const found = blockIn(tip, { ...call, block })
    return found === null ? [] : [needAt(chain.id, found, call.subject)]
  })
  if (needs.length > 0 && needs.every((need) => value < BigInt(need)))
    report('S2', `${entry.text} at ${reply.block} = ${value}, and it needs ${Math.min(...needs)}`)
}

/** eth_call with this gas. */
function confirmationKey({ entry, reply }: JudgedCall, value: bigint): string {
  const call = entry.call as ParsedCall
  const confirming: ParsedCall = { ...call, method: 'eth_call', subject: subjectWithGas(call.subject, value) }
  return pinnedKey(confirming, reply.block)
}

function isTried(judged: JudgedCall, network: Network, value: bigint): boolean {
  const since = startOf(judged)
  return network.sends(judged.chain, confirmationKey(judged, value)).some(({ order }) => order >= since)
}

/** Operators for which the call succeeds with this gas. */
function confirmingOf(judged: JudgedCall, network: Network, value: bigint): ReadonlySet<string> {
  const ends = endsOf(judged, network, value)
  const confirming = votersFor(ends, succeeds)
  for (const operator of contradicting(ends)) confirming.delete(operator)
  return confirming
}

/**
 * A quorum agrees that it succeeds, and none agreed before on another end: of two quorums the first one counts. A witness that says
 * otherwise is outvoted by more than half of all weight only.
 */
function isConfirmed(judged: JudgedCall, network: Network, value: bigint): boolean {
  const { chain, bar, bars } = judged
  const confirming = confirmingOf(judged, network, value)
  if (!isQuorum(chain, bar, confirming)) return false
  const ends = endsOf(judged, network, value)
  const isDenied = ends.some(({ node, meaning }) => node.isWitness && meaning !== succeeds)
  if (isDenied && !isQuorum(chain, bars.tightened, confirming)) return false
  const atMs = (meaning: string) => quorumAtMs(chain, bar, ends, meaning) ?? Number.POSITIVE_INFINITY
  return ends.every(({ meaning }) => atMs(succeeds) <= atMs(meaning))
}

const succeeds = 'succeeds'

/** How the call ends with this gas. */
function endsOf(judged: JudgedCall, network: Network, value: bigint): readonly ReceivedVote[] {
  const { chain, reply } = judged
  const since = reply.cache === 'miss' ? startOf(judged) : 0
  const votes = votesWithin(network, chain, confirmationKey(judged, value), since, endOf(judged))
  return votes.map((vote) => (isNumber(vote.meaning) ? { ...vote, meaning: succeeds } : vote))
}

/** The reports during the call. Only the first number of each operator counts. */
function reportsOn(judged: JudgedCall, network: Network) {
  const reports = numberVotes(judged, network, pinnedKey(judged.entry.call as ParsedCall, judged.reply.block))
  return { ...reports, numbers: reports.isAlone ? firstReports(reports.numbers) : reports.numbers }
}

function firstReports(votes: readonly ReceivedVote[]): readonly ReceivedVote[] {
  const heard = new Set<string>()
  return votes.filter(({ isSure, node: { operator } }) => {
    if (!isSure) return true
    const isNew = !heard.has(operator)
    heard.add(operator)
    return isNew
  })
}

const operatorsOf = (votes: readonly ReceivedVote[]) => new Set(votes.map(({ node }) => node.operator))
