import type { Entry } from './calls.ts'
import type { EventWatch, WatchedChain } from './chain-watch.ts'
import { judge } from './judge.ts'
import type { JudgedCall, Reply } from './judged-call.ts'
import type { OpenRequest } from './open-requests.ts'
import type { Bar } from './recount.ts'
import type { RunContext } from './run-context.ts'

/** A call as its caller got it. */
interface EndedCall {
  readonly open: OpenRequest
  readonly entry: Entry
  readonly reply: Reply
  /** When the quorum of the first chain was raised, as a sequence number. */
  readonly reloadedAt: number
}

/** Judges one reply to a caller, with all that is known of its call. */
export function judgeReply(context: RunContext, watch: EventWatch, ended: EndedCall): void {
  const { world, network, note, report } = context
  const { open, entry, reply } = ended
  const { settings } = world
  noteReply(entry, reply, note)
  if (settings.deny.includes(entry.method)) {
    if (reply.error?.code !== -32601 && reply.error?.code !== entry.code)
      report('S4', `${entry.method} is denied, and led to ${JSON.stringify(reply)}`)
    return
  }
  if (reply.error?.code === -32005 && settings.costPerMinute !== null) return
  const judged = judgedCallOf(context, watch, ended)
  judge(judged, network, report)
  watch.trust.judge(judged)
  if (reply.error !== undefined) return
  const { heads } = watch.chains.get(judged.chain.id) as WatchedChain
  if (entry.agreement === 'head') heads.served(Number(reply.result), open.startMs)
  if (isLatest(entry) && reply.block !== null) heads.pinned(reply.block, open.startMs)
}

function judgedCallOf(context: RunContext, { chains, verdicts }: EventWatch, ended: EndedCall): JudgedCall {
  const { time, network, requests } = context
  const { open, entry, reply } = ended
  const { chain, soundness, heads } = chains.get(open.clientRequest.chain.id) as WatchedChain
  const { startMs } = open
  const endMs = time.now()
  return {
    chain,
    entry,
    reply,
    soundness,
    startMs,
    endMs,
    from: open.order,
    to: network.tick(),
    heads: heads.tipsWithin(startMs, endMs, reply.cache === 'miss' ? 0 : chain.deadlineMs),
    reported: heads.reported(startMs),
    givenUpMs: heads.givenUpMs(startMs),
    final: heads.final(startMs, endMs),
    orderOfHead: heads.orderOfHeads(startMs, endMs),
    isRough:
      heads.hasReorgSince(startMs) ||
      heads.hasDistrustSince(startMs) ||
      (chain.hasReorg && endMs > startMs + 2000),
    isBatched: open.clientRequest.isBatch,
    isCrowded: requests.isCrowded(open, entry),
    verdicts: verdicts.endsOf(open, entry, reply),
    agreedMs: reply.cache === 'hit' ? verdicts.agreedMs(open, entry, reply) : [],
    headSinceMs: heads.headSinceMs(startMs),
    bar: barOf(context, ended),
  }
}

function barOf({ world }: RunContext, { open, reloadedAt }: EndedCall): Bar {
  const { chain } = open.clientRequest
  const isReloaded = chain === world.chains[0] && open.order > reloadedAt
  const quorum = isReloaded ? (world.settings.reload?.quorum ?? 0) : chain.quorum
  return { quorum, operatorsMin: chain.operatorsMin }
}

/** Counts how a call ended, for sometimes.ts. */
function noteReply({ agreement }: Entry, reply: Reply, note: (what: string) => void): void {
  const { error, cache, agreed, total } = reply
  note(`outcome: ${agreement} ${error === undefined ? 'result' : error.code}`)
  if (error !== undefined) note(`error: ${error.code}`)
  if (error?.code === -32010) note(`failed: ${(error.data as { reason?: string } | undefined)?.reason}`)
  if (cache !== null) note(`cache: ${cache}`)
  if (cache === 'hit' && agreed !== null && total !== null && agreed * 2 <= total)
    note('cache: hit of a minority')
}

function isLatest({ call }: Entry): boolean {
  return call?.block.kind === 'tag' && call.block.tag === 'latest'
}
