import { within } from '../clock.ts'
import { CallError } from '../errors.ts'
import type { NodeIndex } from '../indexes.ts'
import { isQuorum, operatorsOfNodes } from '../quorum/electorate.ts'
import { type Agreed, type AgreedBlocks, Agreement, type AgreementPorts } from './agreement.ts'
import type { Look } from './headers.ts'
import type { AgreedChain } from './known-blocks.ts'
import { type LookPorts, runLook, type Tag } from './look.ts'
import { createReach, type Reach } from './reach.ts'
import type { AgreedBlock } from './views.ts'

export type { Agreed } from './agreement.ts'

export interface HeadsPorts extends LookPorts, Pick<AgreementPorts, 'onHead' | 'onReorg'> {
  /** A look at the latest block has ended with an agreed head; these were asked. */
  readonly onLooked: (head: Agreed, asked: readonly NodeIndex[]) => void
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

/** A look is not waited for until it has taken so long: what it replaces is served meanwhile. */
const lookMs = 750

/** The oldest head that is answered while a look is under way, by the age from which on it is looked at. */
export const staleMsOf = (maxAgeMs: number): number => Math.max(4 * maxAgeMs, 4_000)

/** Up to which age a block is served without a look, while one is under way, and where that one takes long. */
interface Ages {
  readonly ageMs: number
  readonly promptMs: number
  readonly staleMs: number
}

/** A look under way: `first` resolves as soon as it has settled the agreed block, with `done` at the latest. */
interface LookUnderWay {
  readonly done: Promise<void>
  readonly first: Promise<void>
  /** The block that it found is not settled, and the one before it is too old. */
  isAwaited: boolean
  /** Past that, which takes a sleep of the machine, another look begins. */
  readonly endMs: number
}

/** The current block: agreed by a quorum, and going back only for an agreed reorg. */
export class Heads {
  readonly #options: HeadsOptions
  readonly #ports: HeadsPorts
  #agreement: Agreement
  readonly #reach: Reach
  readonly #looks: Record<Tag, LookUnderWay | null> = { latest: null, safe: null, finalized: null }
  /** When each node was last asked for its latest block. */
  readonly #lastSeenMs = new Map<NodeIndex, number>()
  /** Gives up one ask each. */
  readonly #open = new Set<() => void>()
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
    this.#ports = ports
    this.#agreement = this.#begin({ latest: null, safe: null, finalized: null })
    this.#reach = createReach({
      clock: ports.clock,
      height: () => this.current()?.block.number ?? -1,
      look: () => this.look(),
    })
  }

  /**
   * The agreed head. A little older than `maxAgeMs`, it is served while a look goes on in the background; still older, only
   * where the look takes long. Throws `no-quorum`.
   */
  fresh(): Agreed | Promise<Agreed> {
    const { maxAgeMs } = this.#options
    this.#refreshFinality(maxAgeMs * 10)
    const staleMs = staleMsOf(maxAgeMs)
    return this.#upToDate('latest', { ageMs: maxAgeMs, promptMs: maxAgeMs + lookMs, staleMs })
  }

  at(tag: 'safe' | 'finalized'): Agreed | Promise<Agreed> {
    const { maxAgeMs } = this.#options
    const staleMs = staleMsOf(maxAgeMs) * 10
    return this.#upToDate(tag, { ageMs: maxAgeMs * 10, promptMs: staleMs, staleMs })
  }

  /** What is known, without looking. */
  current(tag: Tag = 'latest'): Agreed | null {
    return this.#agreement.of(tag)
  }

  /** Takes in a block that a quorum gave for its number: `hashAt` knows it once the head is known to descend from it. */
  learn(block: AgreedBlock): void {
    this.#agreement.learn(block)
  }

  /**
   * Forgets what nodes have shown so far: not all of them are believed any more. An agreed block stays where a quorum of
   * those who are has shown it, but nothing that was said of it beside its hash.
   */
  restart(isBelieved: (node: NodeIndex) => boolean): void {
    const standing = (tag: Tag): Agreed | null => {
      const agreed = this.current(tag)
      const nodes = agreed?.nodes.filter(isBelieved) ?? []
      const electorate = this.#ports.electorates[tag]
      const isStanding = isQuorum(electorate, operatorsOfNodes(electorate, nodes))
      return agreed === null || !isStanding
        ? null
        : { ...agreed, nodes, block: bare(agreed.block), timeMs: null }
    }
    const agreed = {
      latest: standing('latest'),
      safe: standing('safe'),
      finalized: standing('finalized'),
    }
    this.#agreement = this.#begin(agreed)
    this.#finalityLookedMs = Number.NEGATIVE_INFINITY
    // What a look under way brings was said before: it goes to the agreement that has ended.
    for (const tag of tags) this.#looks[tag] = null
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

  close(): void {
    for (const giveUp of this.#open) giveUp()
  }

  /** No promise where it is known: every call asks. */
  #upToDate(tag: Tag, { ageMs, promptMs, staleMs }: Ages): Agreed | Promise<Agreed> {
    const known = this.current(tag)
    const age = this.#ageOf(known)
    const isAwaited = this.#looks[tag]?.isAwaited === true
    if (known !== null && age <= ageMs && !isAwaited) return known
    const { first } = this.#look(tag)
    if (known !== null && age <= promptMs && !isAwaited) return known
    if (known !== null && age <= staleMs && !isAwaited)
      return this.#freshened(known, first, Math.min(lookMs, staleMs - age))
    return this.#afterLook(tag, first, staleMs)
  }

  #begin(agreed: AgreedBlocks): Agreement {
    const { resetMs } = this.#options
    const { onHead, onReorg, ...ports } = this.#ports
    const isCurrent = () => this.#agreement === begun
    const begun: Agreement = new Agreement(
      { agreed, resetMs, walkMax, gapEveryMs: othersEveryMs },
      {
        ...ports,
        open: this.#open,
        onHead: (head) => isCurrent() && onHead(head),
        onReorg: (from, to, isDeep) => {
          if (!isCurrent()) return
          if (isDeep) this.#finalityLookedMs = Number.NEGATIVE_INFINITY
          onReorg(from, to, isDeep)
        },
      },
    )
    return begun
  }

  /** The block that the look finds, or the known one where it takes longer than this. */
  async #freshened(known: Agreed, first: Promise<void>, waitMs: number): Promise<Agreed> {
    const agreement = this.#agreement
    await within(this.#ports.clock, waitMs, first).catch(() => {})
    return agreement === this.#agreement ? (this.current() ?? known) : this.fresh()
  }

  async #afterLook(tag: Tag, first: Promise<void>, staleMs: number): Promise<Agreed> {
    const agreement = this.#agreement
    await first
    // It was not believed to its end: what is known now comes from another look.
    if (agreement !== this.#agreement) return tag === 'latest' ? this.fresh() : this.at(tag)
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
  #look(tag: Tag): LookUnderWay {
    const underWay = this.#looks[tag]
    if (underWay !== null && this.#ports.clock.now() <= underWay.endMs) return underWay
    const look = this.#startLook(tag)
    this.#looks[tag] = look
    return look
  }

  #startLook(tag: Tag): LookUnderWay {
    const { deadlineMs, maxAgeMs } = this.#options
    const isAwaited = tag === 'latest' && this.#ageOf(this.current()) > staleMsOf(maxAgeMs)
    let settled: () => void = () => {}
    const first = new Promise<void>((resolve) => {
      settled = resolve
    })
    const agreement = this.#agreement
    const admitted = () => {
      underWay.isAwaited = false
      settled()
    }
    const done = runLook(
      { tag, deadlineMs, othersEveryMs, walkMax, isAwaited, open: this.#open },
      {
        views: agreement.views(tag),
        lastSeenMs: this.#lastSeenMs,
        admit: (look) => this.#admit(agreement, tag, look),
        agreed: () => agreement.of(tag),
        admitted,
        looked: (asked) => this.#looked(agreement, tag, asked),
      },
      this.#ports,
    ).finally(() => {
      if (this.#looks[tag] === underWay) this.#looks[tag] = null
      settled()
    })
    const endMs = this.#ports.clock.now() + deadlineMs
    const underWay: LookUnderWay = { done, first, isAwaited, endMs }
    return underWay
  }

  #ageOf(known: Agreed | null): number {
    return known === null ? Number.POSITIVE_INFINITY : this.#ports.clock.now() - known.seenMs
  }

  #admit(agreement: Agreement, tag: Tag, look: Look): boolean {
    const isSettled = agreement.admit(tag, look)
    if (tag === 'latest') this.#reach.moved()
    return isSettled
  }

  #looked(agreement: Agreement, tag: Tag, asked: readonly NodeIndex[]): void {
    if (tag !== 'latest' || agreement !== this.#agreement) return
    this.#ports.onLooked(this.current() as Agreed, asked)
    agreement.looked(asked)
  }
}

const tags = ['latest', 'safe', 'finalized'] as const

/** A block of which its hash alone is agreed. */
const bare = ({ number, hash }: AgreedBlock): AgreedBlock => ({
  number,
  hash,
  parentHash: null,
  logsBloom: null,
  gasLimit: null,
  transactions: null,
})
