import { isQuorum, mayTighten, neededOf, operatorsOf, weightOf } from './bars.ts'
import { wholeBlock } from './call-reply.ts'
import { headAgeMsMax } from './head-bound.ts'
import {
  cut,
  endOf,
  isSoundFor,
  type JudgedCall,
  list,
  pinnedKey,
  type Report,
  startOf,
} from './judged-call.ts'
import type { Network, ReceivedVote, Sent } from './network.ts'
import { votersFor, votesWithin } from './recount.ts'
import { isPrompt } from './soundness.ts'
import { tipAt, type WorldChain } from './world.ts'

/** Checks by which policy a result was agreed on, and how it is marked: S21 for protected calls, S22 for others. */
export function judgePolicy(judged: JudgedCall, network: Network, meaning: string, report: Report): void {
  const { chain, entry, reply, isProtected } = judged
  // Transactions are sent to voters alone, whatever their caller wants.
  if (reply.policy === null || entry.agreement === 'broadcast') return
  const mark = `${entry.text} (${reply.cache}) is ${reply.policy}${reply.isThin ? ' and thin' : ''}`
  judgeHead(judged, mark, report)
  if (isProtected) {
    const wanted = judged.isByAll ? 'bridge' : 'protected'
    if (reply.policy !== wanted || reply.isThin) report('S21', `${mark}, and its caller wants ${wanted}`)
    if (judged.isByAll) judgeByAll(judged, mark, report)
    return
  }
  if (reply.isThin && reply.policy !== 'tightened') report('S22', mark)
  if (!mayTighten(chain) && reply.policy === 'tightened') report('S22', `${mark}, without witnesses`)
  if (reply.policy === 'protected' && reply.cache === 'miss')
    report('S22', `${mark}, and nobody wants it protected`)
  if (reply.cache !== 'miss' || !mayTighten(chain)) return
  if (reply.policy === 'everyday') {
    if (judged.isVoterDown) report('S22', `${mark}, while a voter was unusable`)
    const doubt = doubtIn(judged, network)
    if (doubt !== null) report('S22', `${mark}, though ${doubt}`)
  }
  if (reply.isThin) judgeThin(judged, network, meaning, report)
}

/** By the policy `bridge` there is no result without the word of every operator, and of three at least. */
function judgeByAll({ chain, reply, bars }: JudgedCall, mark: string, report: Report): void {
  if (reply.error !== undefined) return
  const operators = operatorsOf(chain)
  const weight = weightOf(chain, bars.bridge, operators)
  if (operators.size < 3 || reply.agreed !== weight || reply.total !== weight)
    report('S25', `${mark} by ${reply.agreed} of ${weight}, of ${operators.size} operators`)
}

/** The head of a call is one of the chain, and while a voter is unusable it takes more than an everyday quorum. */
function judgeHead(judged: JudgedCall, mark: string, report: Report): void {
  const { chain, entry, reply, isProtected, startMs, endMs } = judged
  const isHead = entry.agreement === 'head'
  const isOfHead = isHead || (isProtected && entry.call?.block.kind === 'tag')
  const highest = Math.max(...chain.tips.map(({ atMs, tip }) => (atMs <= endMs ? tip.number : 0)))
  // Those who showed a head by more than half of all weight may show a lower one now: it is kept, and thin.
  const isKept = reply.isThin && isQuorum(chain, judged.bars.tightened, judged.soundness.liars)
  if (isOfHead && reply.block !== null && reply.block > highest && isSoundFor(judged) && !isKept)
    report(isProtected ? 'S21' : 'S22', `${mark} at ${reply.block}, above the chain's ${highest}`)
  // A head may be served for some time, and what was under way when the voter failed goes on.
  const tightMs = judged.voterDownMs + headAgeMsMax(chain) + 2 * stallMs
  if (isHead && mayTighten(chain) && reply.policy === 'everyday' && startMs > tightMs)
    report('S22', `${mark}, and a voter has been unusable for ${startMs - judged.voterDownMs} ms`)
}

const stallMs = 750

/** What must have tightened its round; null where nothing must, or where requests cannot be attributed. */
function doubtIn(judged: JudgedCall, network: Network): string | null {
  const { endMs } = judged
  if (!isAttributable(judged, network)) return null
  const sends = sendsOf(judged, network)
  const stalled = sends.find(
    (sent) => sent.atMs + sent.node.stallMs < endMs && (sent.endMs ?? endMs) >= endMs,
  )
  if (stalled !== undefined) return `${stalled.node.name} had stalled`
  const faulty = sends.find((sent) => isFault(sent) && (sent.endMs as number) < endMs)
  if (faulty !== undefined) return `${faulty.node.name} had failed`
  const votes = votesOn(judged, network).filter(({ atMs, isSure }) => isSure && atMs < endMs)
  return new Set(votes.map(({ meaning }) => meaning)).size > 1 ? 'nodes did not agree' : null
}

/** When its round was first in doubt, epoch milliseconds; its start where that is not known. */
export function doubtfulMs(judged: JudgedCall, network: Network): number {
  const { startMs, endMs, isVoterDown } = judged
  if (isVoterDown || !isAttributable(judged, network)) return startMs
  const votes = votesOn(judged, network)
  const failedMs = sendsOf(judged, network).map((sent) =>
    isFault(sent) ? (sent.endMs as number) : stalledMs(sent),
  )
  const disputedMs = votes.find(({ meaning }) => meaning !== votes[0]?.meaning)?.atMs
  const firstMs = Math.min(...failedMs, disputedMs ?? Number.POSITIVE_INFINITY)
  return firstMs <= endMs ? firstMs : startMs
}

function stalledMs({ atMs, endMs, node }: Sent): number {
  const dueMs = atMs + node.stallMs
  return (endMs ?? dueMs) >= dueMs ? dueMs : Number.POSITIVE_INFINITY
}

function sendsOf(judged: JudgedCall, network: Network): readonly Sent[] {
  const { chain, entry, reply, to } = judged
  const from = startOf(judged)
  const key = pinnedKey(entry.call as NonNullable<typeof entry.call>, reply.block)
  return network.sends(chain, key).filter(({ order }) => order >= from && order <= to)
}

/** Its reply came, and is neither a vote nor of a node that lacks the block. A call of a batch that failed is sent again. */
function isFault({ plan, atMs, endMs, keys }: Sent): boolean {
  if (keys.length > 1) return false
  return (
    plan?.ms != null && endMs === atMs + plan.ms && !plan.behind && plan.votes.every((vote) => vote === null)
  )
}

/** A thin result is contradicted by no witness, and witnesses could not have completed it. */
function judgeThin(judged: JudgedCall, network: Network, result: string, report: Report): void {
  const { chain, entry, bars } = judged
  if (!isAttributable(judged, network)) return
  const all = votesOn(judged, network)
  const votes = all.filter(({ isSure, atMs }) => isSure && atMs < judged.endMs)
  const other = votes.find(
    ({ node, meaning }) => node.isWitness && meaning !== result && !isVoter(chain, node.operator),
  )
  if (other !== undefined) report('S22', `${entry.text} is thin, though ${other.node.name} voted otherwise`)
  // What those who must vote say comes before what others say without them.
  const { everyday, thin } = bars
  const bar = isQuorum(chain, everyday, votersFor(all, result)) ? everyday : thin
  const isCarried = (meaning: string) => isQuorum(chain, bar, votersFor(votes, meaning))
  const rival = votes.find(({ meaning }) => meaning !== result && isCarried(meaning))
  if (entry.agreement === 'equality' && rival !== undefined)
    report('S22', `${entry.text} is thin, though an everyday quorum agreed on ${cut(rival.meaning)}`)
  const able = promptOperators(judged)
  if (entry.agreement === 'equality' && isQuorum(chain, bars.tightened, able) && isOnChain(judged, network))
    report('S23', `${entry.text} is thin, though ${list(able)} are honest and reachable`)
}

/** Voters alone may have made its block up, which honest nodes then lack. */
function isOnChain(judged: JudgedCall, network: Network): boolean {
  const { chain, reply } = judged
  const [first] = sendsOf(judged, network)
  return reply.block === null || first === undefined || reply.block <= tipAt(chain, first.atMs).number
}

/** A protected call fails only where too few are honest and reachable. */
export function judgeProtectedFailure(judged: JudgedCall, report: Report): void {
  const { chain, entry, reply, bars, isRough } = judged
  if (!judged.isProtected || isRough || !decidable.has(entry.agreement)) return
  const { code, data } = reply.error as NonNullable<typeof reply.error>
  const kind = entry.call?.block.kind
  // A block hash need not exist, nor a number above the head.
  if (kind === 'hash' || (code !== -32010 && !(code === -32001 && kind === 'tag'))) return
  const able = promptOperators(judged)
  const bar = judged.isByAll ? bars.bridge : bars.protected
  if (!isQuorum(chain, bar, able) || isStalledToDeadline(judged)) return
  // Logs that look incomplete take one vote more.
  const isQuorumWithout = (one: string) =>
    isQuorum(chain, bar, new Set([...able].filter((each) => each !== one)))
  if (entry.agreement === 'logs' && ![...able].every(isQuorumWithout)) return
  const needs = `${neededOf(chain, bar)}, ${bar.operatorsMin} operators`
  report(
    'S23',
    `${entry.text} failed: ${JSON.stringify(data)}, though ${list(able)} of weight ${weightOf(chain, bar, able)} are honest and reachable; needs ${needs}`,
  )
}

/** It had failed at its deadline, within which its rounds need not end: two stalls, and two more where its head is found first. */
function isStalledToDeadline({ chain, entry, startMs, endMs }: JudgedCall): boolean {
  const stallsMs = chain.nodes.map((node) => (isPrompt(node) ? 0 : node.stallMs))
  const stalls = entry.agreement === 'head' ? 2 : 4
  return endMs - startMs >= chain.deadlineMs && stalls * Math.max(...stallsMs) >= chain.deadlineMs
}

const decidable = new Set(['equality', 'logs', 'head', 'derived'])
const votedAlike = new Set(['equality', 'lookup', 'logs'])

/** Whether the votes and requests of its round are known to be its own. */
function isAttributable(judged: JudgedCall, network: Network): boolean {
  const { chain, entry, reply } = judged
  const { call, agreement } = entry
  return (
    reply.cache === 'miss' &&
    call !== null &&
    !judged.isRough &&
    !judged.isCrowded &&
    !judged.isBatched &&
    votedAlike.has(agreement) &&
    // Head polls ask for blocks too.
    entry.method !== 'eth_getBlockByNumber' &&
    !(agreement === 'logs' && network.hasParts(chain, call, reply.block ?? 0))
  )
}

function votesOn(judged: JudgedCall, network: Network): readonly ReceivedVote[] {
  const { chain, entry, reply } = judged
  const key = pinnedKey(entry.call as NonNullable<typeof entry.call>, reply.block)
  const votes = votesWithin(network, chain, key, startOf(judged), endOf(judged))
  // Null for an agreed block is no vote.
  return votes.filter(({ meaning }) => meaning !== 'null' || !wholeBlock.has(entry.method))
}

function isVoter({ nodes }: WorldChain, operator: string): boolean {
  return nodes.some((node) => node.operator === operator && !node.isWitness)
}

/** Operators all of whose nodes are honest, up to date and reachable for as long as the world lasts. */
function promptOperators({ chain, soundness }: JudgedCall): ReadonlySet<string> {
  const able = new Set(operatorsOf(chain))
  if (soundness.isTouched) return new Set()
  for (const node of chain.nodes) if (!isPrompt(node) || node.delayMs > 0) able.delete(node.operator)
  return able
}
