import type { Gateway } from '#rpc-proxy'
import { barsOf, type Policy } from './bars.ts'
import type { Entry } from './calls.ts'
import type { EventWatch, WatchedChain } from './chain-watch.ts'
import { judge } from './judge.ts'
import { judgeCertificate } from './judge-certificate.ts'
import type { JudgedCall, Reply } from './judged-call.ts'
import { voterDownMs } from './node-states.ts'
import { notePolicy, noteReply } from './note-reply.ts'
import type { OpenRequest } from './open-requests.ts'
import { isByAll, isProtected } from './protection.ts'
import type { RunContext } from './run-context.ts'

/** A call as its caller got it. */
interface EndedCall {
  readonly open: OpenRequest
  readonly entry: Entry
  readonly reply: Reply
  /** From its beginning to its end a voter was unusable. */
  readonly isVoterDown: boolean
  /** When the quorum of the first chain was raised, as a sequence number. */
  readonly reloadedAt: number
  readonly certificateOf: Gateway['certificate']
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
  judgeCertificate(judged, ended.certificateOf, report)
  notePolicy(judged, note)
  watch.trust.judge(judged)
  if (reply.error !== undefined) return
  const { heads } = sideOf(watch, ended)
  if (entry.agreement === 'head') heads.served(Number(reply.result), open.startMs)
  if (isLatest(entry) && reply.block !== null) heads.pinned(reply.block, open.startMs)
}

function judgedCallOf(context: RunContext, watch: EventWatch, ended: EndedCall): JudgedCall {
  const { time, network, requests } = context
  const { verdicts } = watch
  const { open, entry, reply } = ended
  const { chain } = open.clientRequest
  const { soundness, heads } = sideOf(watch, ended)
  const marginMs = reply.cache === 'miss' ? 0 : chain.deadlineMs
  const bars = barsOf(chain, quorumFor(context, ended))
  const { everyday, guarded, downSince } = watch.chains.get(chain.id) as WatchedChain
  // What protected calls found is served to everybody.
  const foundBy = reply.policy === 'protected' || reply.policy === 'bridge' ? guarded : everyday
  const isGuarded = isProtected(open.clientRequest, entry)
  const isStrict = isByAll(open.clientRequest, entry)
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
    heads: heads.tipsWithin(startMs, endMs, marginMs),
    trueTips: heads.trueTipsWithin(startMs, endMs, marginMs),
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
    agreedMs: reply.cache === 'hit' || isGuarded ? verdicts.agreedMs(open, entry, reply) : [],
    headSinceMs: foundBy.heads.headSinceMs(startMs),
    isProtected: isGuarded,
    isByAll: isStrict,
    isVoterDown: ended.isVoterDown,
    voterDownMs: voterDownMs(chain, downSince),
    bars,
    bar: bars[
      isStrict
        ? 'bridge'
        : isGuarded
          ? 'protected'
          : reply.isThin
            ? 'thin'
            : ((reply.policy ?? 'everyday') as Policy)
    ],
  }
}

/** The quorum of the chain when the call began. */
function quorumFor({ world }: RunContext, { open, reloadedAt }: EndedCall): number {
  const { chain } = open.clientRequest
  const isReloaded = chain === world.chains[0] && open.order > reloadedAt
  return isReloaded ? (world.settings.reload?.quorum ?? 0) : chain.quorum
}

function sideOf({ chains }: EventWatch, { open: { clientRequest }, entry }: EndedCall) {
  const { everyday, guarded } = chains.get(clientRequest.chain.id) as WatchedChain
  return isProtected(clientRequest, entry) ? guarded : everyday
}

function isLatest({ call }: Entry): boolean {
  return call?.block.kind === 'tag' && call.block.tag === 'latest'
}
