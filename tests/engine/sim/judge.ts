import { type Bar, isMajority, isQuorum, neededOf, type Policy, totalOf, weightOf } from './bars.ts'
import type { Entry } from './calls.ts'
import { judgeCached } from './judge-cached.ts'
import { judgeEquality } from './judge-equality.ts'
import { judgeEstimate } from './judge-estimate.ts'
import { judgeFailure } from './judge-failure.ts'
import { judgeNumber } from './judge-number.ts'
import { judgePolicy, judgeProtectedFailure } from './judge-policy.ts'
import {
  isSoundFor,
  type JudgedCall,
  list,
  pinnedKey,
  type Reply,
  type Report,
  startOf,
} from './judged-call.ts'
import type { Network } from './network.ts'
import { baseFeeAt, blobFeeAt } from './objects.ts'
import { keyOf, type ParsedCall } from './parsed-call.ts'
import { votersFor, votesWithin } from './recount.ts'
import { meaningOf } from './shapes.ts'
import { unsent } from './signed.ts'
import { shapeOf } from './truth.ts'

const rejectionOf: Readonly<Record<string, string>> = {
  'insufficient funds for gas * price + value': 'refusal insufficient-funds',
  'nonce too low': 'refusal nonce-too-low',
}

/** Checks one answer against the oracle's own records: votes, weights and the true state. */
export function judge(judged: JudgedCall, network: Network, report: Report): void {
  const { chain, entry, reply, startMs, endMs } = judged
  judgeWeights(judged, report)
  if (reply.error?.code === -32603) report('S18', `internal error: ${reply.error.message}`)
  if (endMs - startMs > chain.deadlineMs + 1)
    report('S10', `${entry.method} ended after ${endMs - startMs} ms, deadline ${chain.deadlineMs}`)
  if (entry.code !== null) {
    if (reply.error?.code !== entry.code)
      report('S4', `${entry.text} was answered with ${JSON.stringify(reply)}, not ${entry.code}`)
    return
  }
  if (reply.error !== undefined && !isOfChain(reply)) {
    judgeFailure(judged, network, report)
    judgeProtectedFailure(judged, report)
    return
  }
  if (reply.total !== null && !reply.isThin && (reply.agreed ?? 0) < (reply.needed ?? 0))
    report('S1', `${entry.method} agreed ${reply.agreed} of ${reply.needed}`)
  const meaning = meaningIn(entry, reply)
  judgePolicy(judged, network, meaning, report)
  judgeCached(judged, network, meaning, report)
  judgeFinality(judged, network, report)
  judgeRequests(judged, network, report)
  judgeAnswer(judged, network, report)
}

/** Figures of a thin result are those of what it lacks. */
function judgeWeights(judged: JudgedCall, report: Report): void {
  const { chain, reply, bars } = judged
  if (reply.total === null) return
  const bar = bars[(reply.policy ?? 'everyday') as Policy]
  const total = totalOf(chain, bar)
  const needed = neededOf(chain, bar)
  if (reply.total !== total || (!isFreeOfQuorum(judged) && (reply.needed ?? 0) < needed))
    report('S16', `weights ${reply.agreed}/${reply.needed}/${reply.total}, configured ${needed} of ${total}`)
}

/** A safe or finalized block needs more than half of all weight, and two operators if there are two. */
function judgeFinality(judged: JudgedCall, network: Network, report: Report): void {
  const { chain, entry, reply, bar, to } = judged
  const ref = entry.call?.block
  if (ref?.kind !== 'tag' || !finality.has(ref.tag) || reply.block === null || reply.error !== undefined)
    return
  const block = reply.block
  const showing = new Set<string>()
  for (const tag of finality)
    for (const { meaning, node } of votesWithin(network, chain, `eth_getBlockByNumber|false||${tag}`, 0, to))
      if (Number((JSON.parse(meaning) as { number?: string } | null)?.number) >= block)
        showing.add(node.operator)
  if (!isMajority(chain, showing) || (judged.isProtected && !isQuorum(chain, bar, showing)))
    report('S1', `${entry.text} was read at ${block}, which only ${list(showing)} call ${ref.tag}`)
}

const finality = new Set(['safe', 'finalized'])

/**
 * For one verdict a node is asked once, once more if it lacked the block of the call or of a part of its range, and once more
 * alone for each batch that failed as a whole (S13).
 */
function judgeRequests(judged: JudgedCall, network: Network, report: Report): void {
  const { chain, entry, reply, isRough, isCrowded, to } = judged
  if (reply.cache !== 'miss' || isRough || isCrowded || entry.call === null || own.has(entry.method)) return
  const key = pinnedKey(entry.call, reply.block)
  if (judged.verdicts.length > 2)
    report('S13', `${entry.text} was put to the nodes ${judged.verdicts.length} times`)
  const from = startOf(judged)
  const sends = network.sends(chain, key).filter(({ order }) => order >= from && order <= to)
  for (const node of chain.nodes) {
    const times = sends.filter((sent) => sent.node === node)
    const failed = times.filter(({ keys, plan }) => keys.length > 1 && plan?.isGarbage).length
    const isBehind = times.some(({ plan }) => plan?.behind) || network.lacksPart(chain, entry.call, node)
    if (times.length > (isBehind ? 2 : 1) + failed)
      report('S13', `${node.name} was asked ${key} ${times.length} times for one call`)
  }
}

/** Methods that the engine also asks for its own purposes. */
const own = new Set([
  'eth_getBlockByNumber',
  'eth_getTransactionByHash',
  // A transaction that waited for the chain id of a node may be sent after its call has ended. S7 counts these.
  'eth_sendRawTransaction',
])

/** A cache hit was agreed under the configuration of its time, and a broadcast needs only one acceptance. */
function isFreeOfQuorum({ entry, reply }: JudgedCall): boolean {
  return reply.cache === 'hit' || entry.agreement === 'broadcast'
}

function isOfChain({ error }: Reply): boolean {
  return error === undefined || error.code === 3 || rejectionOf[error.message] !== undefined
}

/** Text by which the oracle compares answers. */
function meaningIn(entry: Entry, { result, error }: Reply): string {
  if (error?.code === 3) return `revert ${String(error.data)}`
  if (error !== undefined) return rejectionOf[error.message] ?? `error ${error.code}`
  return meaningOf(shapeOf[entry.method] ?? 'data', result)
}

function judgeAnswer(judged: JudgedCall, network: Network, report: Report): void {
  const { entry, reply, chain } = judged
  const meaning = meaningIn(entry, reply)
  switch (entry.agreement) {
    case 'local':
      if (meaning !== `"0x${chain.id.toString(16)}"`) report('S5', `${entry.method} says ${meaning}`)
      return
    case 'head':
      return
    case 'derived':
      judgeDerived(judged, report)
      return
    case 'broadcast':
      judgeBroadcast(judged, network, meaning, report)
      return
    case 'estimate':
      judgeEstimate(judged, network, meaning, report)
      return
    case 'highest':
      judgeNumber(judged, network, meaning, report)
      return
    default:
      if (isAboveHead(judged)) judgeAboveHead(judged, meaning, report)
      else judgeEquality(judged, network, meaning, report)
  }
}

/** A base fee is that of the block after the read one. */
function judgeDerived(judged: JudgedCall, report: Report): void {
  const { chain, entry, reply } = judged
  if (!isSoundFor(judged) || reply.block === null) return
  const next = reply.block + 1
  const truth = new Map<string, number | null>([
    ['eth_baseFee', baseFeeAt(next)],
    ['eth_blobBaseFee', blobFeeAt(chain.id, next)],
  ]).get(entry.method)
  const reported = reply.result === null ? null : Number(reply.result)
  if (truth !== undefined && reported !== truth)
    report('S2', `${entry.text} at ${reply.block} = ${reported}, and it is ${truth}`)
}

/** No node is asked for a block above the head of the answer. */
function isAboveHead({ entry, reply }: JudgedCall): boolean {
  const block = entry.call?.block
  return (
    block?.kind === 'number' && reply.block !== null && block.number > reply.block && reply.cache === null
  )
}

function judgeAboveHead({ entry, reply, heads }: JudgedCall, meaning: string, report: Report): void {
  if (meaning !== 'null') report('S1', `${entry.text} = ${meaning}, above the head ${reply.block}`)
  if (!heads.some(({ number }) => number === reply.block))
    report('S9', `${entry.text} rests on a head ${reply.block} that was never agreed`)
}

function judgeBroadcast(judged: JudgedCall, network: Network, meaning: string, report: Report): void {
  const { chain, entry } = judged
  const bar = judged.bars.everyday
  const raw = (entry.call as ParsedCall).subject
  const signed = (unsent.get(chain.id) ?? []).find((each) => each.raw === raw)
  const votes = votesWithin(network, chain, keyOf(entry.call as ParsedCall), 0, judged.to)
  if (meaning.startsWith('"')) {
    if (meaning !== `"${signed?.hash}"`) report('S2', `sent ${signed?.hash}, answered ${meaning}`)
    const found = keyOf({
      ...(entry.call as ParsedCall),
      method: 'eth_getTransactionByHash',
      subject: signed?.hash ?? '',
    })
    if (votersFor(votes, 'accepted').size === 0 && network.votes(chain, found).length === 0)
      report('S1', `${entry.method} answered ${meaning} although no node accepted it`)
    return
  }
  // If all write nodes together weigh less than a quorum, all of them are enough to refuse.
  const writing = chain.nodes.filter(({ writes, isWitness }) => writes && !isWitness)
  const writers = new Set(writing.map(({ operator }) => operator))
  const own: Bar = {
    ...bar,
    quorum: Math.min(bar.quorum, weightOf(chain, bar, writers)),
    operatorsMin: Math.min(bar.operatorsMin, writers.size),
    required: new Set([...bar.required].filter((operator) => writers.has(operator))),
  }
  const rejecting = votersFor(votes, meaning)
  if (!isQuorum(chain, own, rejecting))
    report('S1', `${entry.method} = ${meaning}, said by ${list(rejecting)} only`)
}
