import { type Electorate, isQuorum, operatorsOfNodes } from '../quorum/electorate.ts'
import { within } from '../runtime/clock.ts'
import { CallError } from '../runtime/errors.ts'
import type { NodeIndex } from '../runtime/indexes.ts'
import {
  type AgreedChain,
  type BlocksByTag,
  type Head,
  HeadAgreement,
  type HeadAgreementPorts,
} from './agreement.ts'
import { HeadPoll, type HeadPollPorts } from './head-poll.ts'
import type { AgreedBlock, Tag } from './head-views.ts'
import { promptMsMax } from './header-replies.ts'

export type { Head } from './agreement.ts'

export interface HeadsPorts
  extends Omit<HeadPollPorts, 'known'>,
    Pick<HeadAgreementPorts, 'onHead' | 'onReorg'> {
  /** A poll at the latest block has ended with an agreed head; these were asked. */
  readonly onPolled: (head: Head, polled: readonly NodeIndex[]) => void
}

interface HeadsOptions {
  readonly maxAgeMs: number
  /** A head that no quorum has shown for so long, while polls found a lower block, is replaced by that block. */
  readonly resetMs: number
  readonly deadlineMs: number
}

/** A call waits for a poll for so long, while the previous block may still be served. */
const pollMs = 750
/** Who waits for a head polls this often. */
const pollAgainMs = 100
const none = { latest: null, safe: null, finalized: null }

/** The age up to which a head may be served where a poll takes long. `maxAgeMs`: the age from which on it is polled. */
export const staleMsOf = (maxAgeMs: number): number => Math.max(4 * maxAgeMs, 4_000)

/** Up to which age a block is served without a poll; at once, with a poll in the background; after a poll that takes long. */
interface Ages {
  readonly ageMs: number
  readonly promptMs: number
  readonly staleMs: number
}

/** The current block: agreed by a quorum, and going back only for an agreed reorg. */
export class Heads {
  readonly #options: HeadsOptions
  readonly #ports: HeadsPorts & HeadPollPorts
  #agreement: HeadAgreement
  readonly #polls: Record<Tag, HeadPoll | null> = { ...none }
  /** When each node was last asked for its latest block. */
  readonly #polledMs = new Map<NodeIndex, number>()
  /** Polls, and what was agreed before a restart, of which some request may be in flight. */
  readonly #open = new Set<Pick<HeadPoll, 'close'>>()
  /** Those who wait for a head that has not come yet. */
  readonly #waiting = new Set<{ readonly number: number; readonly reached: () => void }>()
  #finalityPolledMs = Number.NEGATIVE_INFINITY
  #isClosed = false

  constructor(options: HeadsOptions, ports: HeadsPorts) {
    this.#options = options
    this.#ports = { ...ports, known: (hash) => this.agreed.blockOf(hash) }
    this.#agreement = this.#begin(none)
  }

  /**
   * The agreed head. A little older than `maxAgeMs`, it is served while a poll goes on in the background; still older, only
   * where the poll takes long. Throws `no-quorum`.
   */
  fresh(): Head | Promise<Head> {
    const { maxAgeMs } = this.#options
    this.#refreshFinality(maxAgeMs * 10)
    const staleMs = staleMsOf(maxAgeMs)
    return this.#upToDate('latest', { ageMs: maxAgeMs, promptMs: maxAgeMs + pollMs, staleMs })
  }

  at(tag: 'safe' | 'finalized'): Head | Promise<Head> {
    const { maxAgeMs } = this.#options
    const staleMs = staleMsOf(maxAgeMs) * 10
    return this.#upToDate(tag, { ageMs: maxAgeMs * 10, promptMs: staleMs, staleMs })
  }

  get agreed(): AgreedChain {
    return this.#agreement.chain
  }

  /** What is known, without a poll. */
  current(tag: Tag = 'latest'): Head | null {
    return this.#agreement.of(tag)
  }

  /** The hash of the block that a node has shown at a number lately; null where it has shown none. */
  hashOf(node: NodeIndex, number: number): string | null {
    return this.#agreement.views('latest').of(node).hashAt(number)
  }

  /** Takes in a block that a quorum gave for its number: `agreed.hashAt` knows it once the head is known to descend from it. */
  learn(block: AgreedBlock): void {
    this.#agreement.learn(block)
  }

  /**
   * Forgets what nodes have shown so far, because not all of them are trusted any more. An agreed block stays if a quorum of the trusted
   * nodes has shown it, but without its other fields.
   */
  restart(isBelieved: (node: NodeIndex) => boolean): void {
    const { electorates, tightened } = this.#ports
    const stateOf = (tag: Tag) =>
      stillAgreed(this.current(tag), isBelieved, { electorate: electorates[tag], tightened })
    const agreed = { latest: stateOf('latest'), safe: stateOf('safe'), finalized: stateOf('finalized') }
    const before = this.#agreement
    this.#open.add(before)
    void before.ended().then(() => this.#open.delete(before))
    this.#agreement = this.#begin(agreed)
    this.#finalityPolledMs = Number.NEGATIVE_INFINITY
    // Replies to a poll under way were sent before: they go to the agreement that has ended.
    Object.assign(this.#polls, none)
  }

  /** Whether a node has lately shown a block of this number or a later one. */
  isVisible(number: number): boolean {
    const nodeViews = this.#agreement.views('latest').nodeViews()
    return nodeViews.some(({ view }) => (view.latest()?.number ?? -1) >= number)
  }

  /** Waits until the head has reached `number`, at most `ms`; polls again and again meanwhile. */
  async reach(number: number, ms: number): Promise<boolean> {
    const { clock } = this.#ports
    const endMs = clock.now() + ms
    const waiter = { number, reached: () => {} }
    const isReached = new Promise<void>((resolve) => {
      waiter.reached = resolve
    })
    this.#waiting.add(waiter)
    for (let leftMs = ms; leftMs > 0 && this.#height() < number; leftMs = endMs - clock.now()) {
      this.#poll('latest', { ageMs: 0, patienceMs: promptMsMax })
      await within(clock, Math.min(pollAgainMs, leftMs), isReached).catch(() => {})
    }
    this.#waiting.delete(waiter)
    return this.#height() >= number
  }

  /** Polls for the head now, whatever its age. Resolves as soon as the head is settled or the poll has ended. */
  poll(): Promise<void> {
    return this.#poll('latest', { ageMs: 0 }).admitted
  }

  close(): void {
    this.#isClosed = true
    for (const each of this.#open) each.close()
    this.#agreement.close()
  }

  /** No promise where it is known: every call asks. */
  #upToDate(tag: Tag, { ageMs, promptMs, staleMs }: Ages): Head | Promise<Head> {
    const young = this.current(tag)
    const isAwaited = this.#polls[tag]?.isAwaited === true
    if (young !== null && this.#ageOf(young) <= ageMs && !isAwaited) return young
    const { admitted } = this.#poll(tag)
    // A poll that begins while a voter is unusable marks it as thin.
    const known = this.current(tag)
    const age = this.#ageOf(known)
    const isServed = known !== null && !isAwaited
    if (isServed && age <= promptMs) return known
    const waitMs = isServed && age <= staleMs ? Math.min(pollMs, staleMs - age) : null
    return this.#afterPoll(tag, admitted, { waitMs, staleMs })
  }

  #begin(agreed: BlocksByTag): HeadAgreement {
    const { resetMs, maxAgeMs } = this.#options
    const { onHead, onReorg, ...ports } = this.#ports
    const isCurrent = () => this.#agreement === begun
    const begun: HeadAgreement = new HeadAgreement(
      { agreed, resetMs, apartMs: staleMsOf(maxAgeMs) },
      {
        ...ports,
        onHead: (head) => isCurrent() && onHead(head),
        onReorg: (from, to, isDeep) => {
          if (!isCurrent()) return
          if (isDeep) this.#finalityPolledMs = Number.NEGATIVE_INFINITY
          onReorg(from, to, isDeep)
        },
      },
    )
    return begun
  }

  /** The block that the poll finds; the known one, if it may be served, where that takes longer than `waitMs`. */
  async #afterPoll(
    tag: Tag,
    admitted: Promise<void>,
    { waitMs, staleMs }: { readonly waitMs: number | null; readonly staleMs: number },
  ): Promise<Head> {
    const agreement = this.#agreement
    await (waitMs === null ? admitted : within(this.#ports.clock, waitMs, admitted).catch(() => {}))
    // Nodes were distrusted during the poll: what is known now comes from another one.
    if (agreement !== this.#agreement) return tag === 'latest' ? this.fresh() : this.at(tag)
    const found = this.current(tag)
    if (found !== null && this.#ageOf(found) <= staleMs + (waitMs ?? 0)) return found
    // Witnesses may have contradicted it.
    if (waitMs !== null) return this.#afterPoll(tag, admitted, { waitMs: null, staleMs })
    // A head that no poll confirms is no longer the head.
    throw new CallError('no-quorum', { data: { reason: 'heads' }, detail: `no agreed ${tag} block` })
  }

  /** Finality is polled a tenth as often as the head, in the background unless a call asks for it. */
  #refreshFinality(everyMs: number): void {
    const nowMs = this.#ports.clock.now()
    if (nowMs - (this.current('finalized')?.seenMs ?? 0) <= everyMs) return
    if (nowMs - this.#finalityPolledMs <= everyMs) return
    this.#finalityPolledMs = nowMs
    void this.#poll('finalized')
  }

  /**
   * One poll at a time for each tag. Another one starts if the first only waits for more nodes and its block is older than `ageMs`, or
   * if it takes longer than `patienceMs`: it has a deadline, unless the machine sleeps.
   */
  #poll(tag: Tag, { ageMs = this.#options.maxAgeMs, patienceMs = this.#options.deadlineMs } = {}): HeadPoll {
    const running = this.#polls[tag]
    const isOld = running?.isReleased === true && this.#ageOf(this.current(tag)) > ageMs
    if (running !== null && !isOld && this.#ports.clock.now() <= running.startMs + patienceMs) return running
    const started = this.#startPoll(tag)
    this.#polls[tag] = started
    void this.#run(started, tag, this.#agreement)
    return started
  }

  #startPoll(tag: Tag): HeadPoll {
    const { deadlineMs, maxAgeMs } = this.#options
    const agreement = this.#agreement
    const isAwaited = tag === 'latest' && this.#ageOf(this.current()) > staleMsOf(maxAgeMs)
    const isWaitedFor = tag === 'latest' && this.#waiting.size > 0
    const wantsHighest = () => isAwaited || (isWaitedFor && this.#waiting.size > 0)
    const poll: HeadPoll = new HeadPoll(
      { tag, deadlineMs, isAwaited, wantsHighest },
      {
        agreement,
        polledMs: this.#polledMs,
        admit: (state) => {
          const isSettled = agreement.admit(tag, state)
          if (tag !== 'latest') return isSettled
          for (const { number, reached } of [...this.#waiting]) if (this.#height() >= number) reached()
          // A reply after the poll has ended may be the one that makes a quorum.
          if (isSettled && this.#polls.latest !== poll) this.#tellPolled(agreement, state.polled)
          return isSettled
        },
      },
      this.#ports,
    )
    if (this.#isClosed) poll.close()
    return poll
  }

  async #run(poll: HeadPoll, tag: Tag, agreement: HeadAgreement): Promise<void> {
    this.#open.add(poll)
    try {
      const polled = await poll.run()
      if (polled !== null && tag === 'latest' && this.#tellPolled(agreement, polled))
        void agreement.afterPoll(polled)
    } finally {
      if (this.#polls[tag] === poll) this.#polls[tag] = null
      poll.release()
      void poll.ended().then(() => this.#open.delete(poll))
    }
  }

  #ageOf(known: Head | null): number {
    return known === null ? Number.POSITIVE_INFINITY : this.#ports.clock.now() - known.seenMs
  }

  /** The head's number; -1 before there is one. */
  #height(): number {
    return this.current()?.block.number ?? -1
  }

  /** False where nobody is told any more. */
  #tellPolled(agreement: HeadAgreement, polled: readonly NodeIndex[]): boolean {
    if (agreement !== this.#agreement || this.#isClosed) return false
    this.#ports.onPolled(this.current() as Head, polled)
    return true
  }
}

/** What is left of an agreed block when not all who showed it are believed any more; null where that is no quorum. */
function stillAgreed(
  agreed: Head | null,
  isBelieved: (node: NodeIndex) => boolean,
  { electorate, tightened }: { readonly electorate: Electorate } & Pick<HeadsPorts, 'tightened'>,
): Head | null {
  const nodes = agreed?.nodes.filter(isBelieved) ?? []
  const isQuorumOf = (of: Electorate) => isQuorum(of, operatorsOfNodes(of, nodes))
  const isTight = tightened !== null && isQuorumOf(tightened)
  const isOwn = isQuorumOf(electorate)
  if (agreed === null || !(isTight || isOwn)) return null
  const policy = isOwn ? agreed.policy : 'tightened'
  const isThin = agreed.isThin || (policy === 'tightened' && !isTight)
  return { ...agreed, nodes, policy, isThin, block: bare(agreed.block), timeMs: null }
}

/** A block of which its hash alone is agreed, and what follows from it. */
function bare(block: AgreedBlock): AgreedBlock {
  if (block.stateRoot !== null) return { ...block, transactions: null }
  return { ...block, parentHash: null, logsBloom: null, gasLimit: null, transactions: null }
}
