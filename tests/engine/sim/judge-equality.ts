import { isQuorum, neededOf, weightOf } from './bars.ts'
import { wholeBlock } from './call-reply.ts'
import { doubtfulMs } from './judge-policy.ts'
import {
  cut,
  endOf,
  isCompleteFor,
  isSoundFor,
  type JudgedCall,
  list,
  pinnedKey,
  type Report,
  startOf,
} from './judged-call.ts'
import type { Network, ReceivedVote } from './network.ts'
import { type BlockRef, keyOf, type ParsedCall } from './parsed-call.ts'
import { contradicting, quorumAtMs, supportersOf, votersFor, votesWithin, waitingPart } from './recount.ts'
import { tipsSinceReset } from './resets.ts'
import { mined } from './signed.ts'
import { truthOf, waiting } from './truth.ts'
import type { Tip } from './universe.ts'

/** Checks that a quorum gave this answer for the right block, and that it is true unless liars are a quorum. */
export function judgeEquality(judged: JudgedCall, network: Network, meaning: string, report: Report): void {
  const { chain, entry, reply, bar, startMs, endMs, isRough } = judged
  const call = entry.call as ParsedCall
  const key = pinnedKey(call, reply.block)
  const isFirst = reply.cache === 'miss'
  const heard = votesWithin(network, chain, key, isFirst ? startOf(judged) : 0, endOf(judged))
  // Null for an agreed block is not a vote, nor is a number of transactions that the block has not.
  const isNoVote = (sent: string) =>
    wholeBlock.has(entry.method) &&
    ((sent === 'null' && meaning !== 'null') || (sent !== meaning && isAgainstBlock(judged, sent)))
  const votes = heard.filter((vote) => !isNoVote(vote.meaning))
  const supporters = supportersOf(votes, meaning)
  // Votes of a concurrent ask for the same call cannot be distinguished.
  const isAlone = isFirst && !isRough && !judged.isCrowded
  // Nor can those of head polls, which ask for blocks too.
  if (isAlone && entry.method !== 'eth_getBlockByNumber')
    for (const operator of contradicting(votes)) supporters.delete(operator)
  // A split range has no votes for the whole. S2 still checks it.
  const isWhole = entry.agreement !== 'logs' || !network.hasParts(chain, call, reply.block ?? 0)
  if (isWhole && !isQuorum(chain, bar, supporters))
    report(
      foreign(judged, network, meaning) ? 'S5' : reply.cache === 'hit' ? 'S8' : 'S1',
      `${entry.text} at ${reply.block} (${reply.cache}) = ${cut(meaning)}, said by ${list(supporters)} of weight ${weightOf(chain, bar, supporters)}; needs ${neededOf(chain, bar)}, ${bar.operatorsMin} operators`,
    )
  judgeTruth(judged, meaning, report)
  if (isAlone) judgeNull(judged, votes, meaning, report)
  // If only votes decide, the answer must come with the vote that completes the quorum.
  const isClear = contradicting(votes).size === 0 && votes.every(({ isSure }) => isSure)
  if (!isAlone || !isClear || judged.isBatched || entry.agreement !== 'equality') return
  if (reply.isThin) return
  const agreedMs = quorumAtMs(chain, bar, votes, meaning)
  if (agreedMs === null) return
  // Before its round was tightened, it took what an everyday quorum takes.
  const completeMs = reply.policy === 'tightened' ? Math.max(agreedMs, doubtfulMs(judged, network)) : agreedMs
  if (endMs > completeMs)
    report(
      'S10',
      `${entry.text} was agreed at ${completeMs - startMs} ms and answered at ${endMs - startMs} ms`,
    )
}

/** It is a number of transactions, and not that of the agreed block. */
function isAgainstBlock({ chain, entry, reply, reported }: JudgedCall, meaning: string): boolean {
  const { block } = reply
  const head = reported.findLast(({ number }) => block !== null && number >= block)
  if (!countsTransactions.has(entry.method) || block === null || head === undefined) return false
  const truth = truthOf(chain.id, head, {
    ...(entry.call as ParsedCall),
    block: { kind: 'number', number: block },
  })
  return truth.kind === 'result' && truth.meaning !== meaning
}

const countsTransactions = new Set(['eth_getBlockTransactionCountByNumber'])

/** The value belongs to another call. */
function foreign({ chain, entry }: JudgedCall, network: Network, meaning: string): boolean {
  const key = keyOf(entry.call as ParsedCall)
  return votersFor(network.votes(chain, key), meaning).size === 0 && meaning !== 'null'
}

/** With fewer liars than a quorum, the answer is that of an honest node at an agreed head. */
function judgeTruth(judged: JudgedCall, meaning: string, report: Report): void {
  const { chain, entry, reply, soundness } = judged
  if (!isSoundFor(judged)) return
  if ((meaning === 'null' || entry.agreement === 'logs') && !isCompleteFor(judged)) return
  // Where liars may be a quorum of some other rule, heads may be forged.
  const heads = soundness.isSound ? judged.heads : judged.trueTips
  const call = entry.call as ParsedCall
  if (waitingPart(meaning) !== null) {
    judgeWaiting(call, meaning, report)
    return
  }
  const pin = (ref: BlockRef): BlockRef =>
    ref.kind === 'tag' && ref.tag !== 'earliest' && reply.block !== null
      ? { kind: 'number', number: reply.block }
      : ref
  const atBlock: ParsedCall = { ...call, block: pin(call.block), from: pin(call.from) }
  // A cache entry by block hash stays true for that block, even after a reorg. No head may ever have reached it.
  const isCachedByHash = reply.cache === 'hit' && call.block.kind === 'hash'
  for (const tip of isCachedByHash && soundness.isSound ? [...tipsUntil(judged), ...heads] : heads) {
    const truth = truthOf(chain.id, tip, atBlock)
    if (truth.kind !== 'behind' && truth.meaning === meaning) return
  }
  report(
    judged.isProtected ? 'S21' : reply.policy === 'tightened' ? 'S22' : 'S2',
    `${entry.text} at ${reply.block} (${reply.cache}, ${reply.policy}) = ${cut(meaning)}, which is not true on any of ${heads.length} heads`,
  )
}

/** The chain's tips until the answer; where it was replaced, and the old head given up, those since. */
function tipsUntil({ chain, endMs, givenUpMs }: JudgedCall): readonly Tip[] {
  const isOver = chain.reset?.kind === 'replaced' && givenUpMs !== null
  const tips = isOver ? tipsSinceReset(chain) : chain.tips
  return tips.flatMap(({ atMs, tip }) => (atMs <= endMs ? [tip] : []))
}

/** Whether a transaction is pending is up to the asked nodes, but its fields must match what was signed. */
function judgeWaiting(call: ParsedCall, meaning: string, report: Report): void {
  const signed = mined.find(({ hash }) => hash === call.subject)
  const truth = signed === undefined ? null : waiting(signed)
  if (truth?.kind !== 'result' || truth.meaning !== meaning)
    report('S2', `${call.subject} is reported as pending with ${cut(meaning)}, which is not what was signed`)
}

/** Null never wins against a quorum of at least two operators with the object in an agreed block. */
function judgeNull(
  { chain, entry, bar, soundness, reported }: JudgedCall,
  votes: readonly ReceivedVote[],
  meaning: string,
  report: Report,
): void {
  const call = entry.call as ParsedCall
  const { kind } = call.block
  if (meaning !== 'null' || !soundness.isSound || kind === 'number' || kind === 'tag') return
  const tip = reported.at(-1)
  const truth = tip === undefined ? null : truthOf(chain.id, tip, call)
  if (truth === null || truth.kind !== 'result' || truth.value === null) return
  const { blockNumber, number } = truth.value as { blockNumber?: string; number?: string }
  const home = Number(blockNumber ?? number)
  const owners = votersFor(votes, truth.meaning)
  for (const operator of contradicting(votes)) owners.delete(operator)
  if (owners.size > 1 && isQuorum(chain, bar, owners) && reported.some((agreed) => agreed.number === home))
    report('S1', `${entry.text} = null although ${list(owners)} had it in the agreed block ${home}`)
}
