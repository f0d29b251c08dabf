import { CallError } from '../errors.ts'
import type { NodeIndex } from '../indexes.ts'
import { type Agreed, Agreement, type AgreementPorts } from './agreement.ts'
import { HeadPoll, type HeadPollPorts, type Tag } from './head-poll.ts'
import type { Look } from './headers.ts'
import type { AgreedChain } from './known-blocks.ts'
import { createReach, type Reach } from './reach.ts'
import type { AgreedBlock } from './views.ts'

export type { Agreed } from './agreement.ts'

export interface HeadsPorts
  extends Omit<HeadPollPorts, 'repliedMs'>,
    Pick<AgreementPorts, 'onHead' | 'onReorg'> {
  /** A look at the latest block has ended with an agreed head; these were asked. */
  readonly onLooked: (number: number, asked: readonly NodeIndex[]) => void
}

export interface HeadsOptions {
  readonly maxAgeMs: number
  /** A head that no quorum has shown for so long, while looks found a lower block, is replaced by that block. */
  readonly resetMs: number
  readonly deadlineMs: number
}

/** Nodes that the look did not need are looked at this often. */
const othersEveryMs = 30_000
/** How far a look walks back for a block that a quorum shows. */
const walkMax = 64

/** The oldest head that is answered while a look is under way, by the age from which on it is looked at. */
export const staleMsOf = (maxAgeMs: number): number => Math.max(4 * maxAgeMs, 4_000)

/** A poll under way; `done` resolves when it has ended. */
interface RunningPoll {
  readonly poll: HeadPoll
  readonly done: Promise<void>
}

/** The current block: agreed by a quorum, and going back only for an agreed reorg. */
export class Heads {
  readonly #options: HeadsOptions
  readonly #ports: HeadsPorts & HeadPollPorts
  readonly #agreement: Agreement
  readonly #reach: Reach
  readonly #polls: Record<Tag, RunningPoll | null> = { latest: null, safe: null, finalized: null }
  /** When each node was last asked for its latest block. */
  readonly #askedMs = new Map<NodeIndex, number>()
  /** When each node last replied with a header, or with having none. */
  readonly #repliedMs = new Map<NodeIndex, number>()
  /** Polls of which some request may be in flight. */
  readonly #open = new Set<HeadPoll>()
  #finalityLookedMs = Number.NEGATIVE_INFINITY

  // What the agreed chain knows of each block.
  readonly hashAt: AgreedChain['hashAt'] = (number) => this.#agreement.chain.hashAt(number)
  readonly lowest: AgreedChain['lowest'] = () => this.#agreement.chain.lowest()
  readonly unreadFrom: AgreedChain['unreadFrom'] = (from) => this.#agreement.chain.unreadFrom(from)
  readonly lastHashAt: AgreedChain['lastHashAt'] = (number) => this.#agreement.chain.lastHashAt(number)
  readonly blockAt: AgreedChain['blockAt'] = (number) => this.#agreement.chain.blockAt(number)
  readonly blockOf: AgreedChain['blockOf'] = (hash) => this.#agreement.chain.blockOf(hash)
  readonly below: AgreedChain['below'] = (number) => this.#agreement.chain.below(number)

  constructor(options: HeadsOptions, ports: HeadsPorts) {
    this.#options = options
    this.#ports = { ...ports, repliedMs: this.#repliedMs }
    this.#agreement = new Agreement(
      { resetMs: options.resetMs, walkMax, gapEveryMs: othersEveryMs },
      {
        ...this.#ports,
        onReorg: (from, to, isDeep) => {
          if (isDeep) this.#finalityLookedMs = Number.NEGATIVE_INFINITY
          ports.onReorg(from, to, isDeep)
        },
      },
    )
    this.#reach = createReach({
      clock: ports.clock,
      height: () => this.current()?.block.number ?? -1,
      look: () => this.look(),
    })
  }

  /** The agreed head. Older than `maxAgeMs`, it is served once more while a look goes on in the background. Throws `no-quorum`. */
  fresh(): Agreed | Promise<Agreed> {
    const { maxAgeMs } = this.#options
    this.#refreshFinality(maxAgeMs * 10)
    return this.#upToDate('latest', maxAgeMs, staleMsOf(maxAgeMs))
  }

  at(tag: 'safe' | 'finalized'): Agreed | Promise<Agreed> {
    const { maxAgeMs } = this.#options
    return this.#upToDate(tag, maxAgeMs * 10, staleMsOf(maxAgeMs) * 10)
  }

  /** What is known, without looking. */
  current(tag: Tag = 'latest'): Agreed | null {
    return this.#agreement.of(tag)
  }

  /** Takes in a block that a quorum gave for its number: `hashAt` knows it once the head is known to descend from it. */
  learn(block: AgreedBlock): void {
    this.#agreement.learn(block)
  }

  /** Whether a node has lately shown a block of this number or a later one. */
  isShown(number: number): boolean {
    const shown = this.#agreement.views('latest').shown()
    return shown.some(({ view }) => (view.latest()?.number ?? -1) >= number)
  }

  /** Waits until the head has reached `number`, at most `ms`. */
  reach(number: number, ms: number): Promise<boolean> {
    return this.#reach.reach(number, ms)
  }

  /** Looks now, whatever the age; resolves when the look has ended. */
  look(): Promise<void> {
    return this.#look('latest').done
  }

  /** Nodes that have replied to a request for a header since then. */
  repliedSince(ms: number): readonly NodeIndex[] {
    return [...this.#repliedMs].filter(([, atMs]) => atMs >= ms).map(([node]) => node)
  }

  close(): void {
    for (const poll of this.#open) poll.close()
    this.#agreement.close()
  }

  /** No promise where it is known: every call asks. */
  #upToDate(tag: Tag, ageMs: number, staleMs: number): Agreed | Promise<Agreed> {
    const known = this.current(tag)
    const age = known === null ? Number.POSITIVE_INFINITY : this.#ports.clock.now() - known.seenMs
    if (known !== null && age <= ageMs) return known
    const { poll } = this.#look(tag)
    if (known !== null && age <= staleMs) return known
    return this.#afterLook(tag, poll.admitted, staleMs)
  }

  async #afterLook(tag: Tag, admitted: Promise<void>, staleMs: number): Promise<Agreed> {
    await admitted
    const found = this.current(tag)
    // A head that no look confirms is no longer the head.
    if (found === null || this.#ports.clock.now() - found.seenMs > staleMs)
      throw new CallError('no-quorum', { data: { reason: 'heads' }, detail: `no agreed ${tag} block` })
    return found
  }

  /** Finality is looked at a tenth as often as the head, in the background unless a call asks for it. */
  #refreshFinality(everyMs: number): void {
    const nowMs = this.#ports.clock.now()
    if (nowMs - (this.current('finalized')?.seenMs ?? 0) <= everyMs) return
    if (nowMs - this.#finalityLookedMs <= everyMs) return
    this.#finalityLookedMs = nowMs
    void this.#look('finalized')
  }

  /** One look at a time for each tag. */
  #look(tag: Tag): RunningPoll {
    this.#polls[tag] ??= this.#startPoll(tag)
    return this.#polls[tag]
  }

  #startPoll(tag: Tag): RunningPoll {
    const { deadlineMs } = this.#options
    const poll = new HeadPoll(
      { tag, deadlineMs, othersEveryMs, walkMax },
      {
        views: this.#agreement.views(tag),
        askedMs: this.#askedMs,
        admit: (look) => this.#admit(tag, look),
        isAgreed: (sinceMs) => (this.current(tag)?.seenMs ?? Number.NEGATIVE_INFINITY) >= sinceMs,
      },
      this.#ports,
    )
    return { poll, done: this.#run(poll, tag) }
  }

  async #run(poll: HeadPoll, tag: Tag): Promise<void> {
    this.#open.add(poll)
    try {
      const asked = await poll.run()
      if (asked !== null && tag === 'latest') this.#looked(asked)
    } finally {
      this.#polls[tag] = null
      poll.release()
      void poll.ended().then(() => this.#open.delete(poll))
    }
  }

  #admit(tag: Tag, look: Look): boolean {
    const isSettled = this.#agreement.admit(tag, look)
    if (tag === 'latest') this.#reach.moved()
    return isSettled
  }

  #looked(asked: readonly NodeIndex[]): void {
    this.#ports.onLooked((this.current() as Agreed).block.number, asked)
    void this.#agreement.looked(asked)
  }
}
