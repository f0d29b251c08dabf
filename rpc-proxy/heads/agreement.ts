import type { BlockId } from '../events/evidence-types.ts'
import { type Electorate, isQuorum, operatorsOfNodes } from '../quorum/electorate.ts'
import type { NodeIndex } from '../runtime/indexes.ts'
import { type AncestryCheck, createAncestryCheck } from './ancestry-check.ts'
import { decideHead, type FoundHead } from './head-decision.ts'
import type { HeadPollPorts, Tag } from './head-poll.ts'
import { type AgreedBlock, createHeadViews, type Views } from './head-views.ts'
import type { HeaderPorts } from './header-round.ts'
import type { PollState } from './headers.ts'
import { HeightLog } from './height-log.ts'
import { AgreedChain } from './known-blocks.ts'

/** An agreed block and who agreed on it. */
export interface Head extends FoundHead {
  /** When a poll last found a quorum on its chain, at this block or a little below it. */
  readonly seenMs: number
  /** When a quorum last showed this very block. */
  readonly confirmedMs: number
  /** By which rule it was found. */
  readonly policy: PollState['policy']
  readonly isThin: boolean
}

/** The agreed block of each tag. */
export type BlocksByTag = Readonly<Record<Tag, Head | null>>

interface AgreementOptions {
  /** What it begins with. */
  readonly agreed: BlocksByTag
  /** A head that no quorum has shown for so long, while polls found a lower block, is replaced by that block. */
  readonly resetMs: number
  /** How far a poll walks back for a block that a quorum shows. */
  readonly walkMax: number
  /** How often a head that has jumped is compared with the one before it. */
  readonly ancestryEveryMs: number
  /** How long nodes may be apart, by tag. */
  readonly apartMs: Readonly<Record<Tag, number>>
}

export interface HeadAgreementPorts extends HeaderPorts, Pick<HeadPollPorts, 'electorates'> {
  readonly onHead: (agreed: Head) => void
  /** `isDeep`: of unknown depth; final blocks may be gone too. */
  readonly onReorg: (from: BlockId, to: BlockId, isDeep: boolean) => void
}

/** What is agreed, from poll to poll. */
export class HeadAgreement {
  readonly chain = new AgreedChain()
  readonly #ports: HeadAgreementPorts
  readonly #walkMax: number
  readonly #agreed: Record<Tag, Head | null>
  readonly #views: Record<Tag, Views> = {
    latest: createHeadViews(),
    safe: createHeadViews(),
    finalized: createHeadViews(),
  }
  /** The highest blocks that any node has shown since all were last asked. */
  readonly #heights: Readonly<Record<Tag, HeightLog>>
  /** The agreed heads. */
  readonly #reached: HeightLog
  readonly #rollback: RollbackTimer
  readonly #ancestry: AncestryCheck

  constructor(
    { agreed, resetMs, walkMax, ancestryEveryMs, apartMs }: AgreementOptions,
    ports: HeadAgreementPorts,
  ) {
    this.#ports = ports
    this.#heights = {
      latest: new HeightLog(apartMs.latest),
      safe: new HeightLog(apartMs.safe),
      finalized: new HeightLog(apartMs.finalized),
    }
    this.#reached = new HeightLog(apartMs.latest)
    this.#agreed = { ...agreed }
    if (agreed.latest !== null) this.chain.admit(agreed.latest.block)
    this.#walkMax = walkMax
    this.#rollback = createRollbackTimer(resetMs)
    const isLinked = (from: BlockId) => this.chain.descendsFrom(from)
    this.#ancestry = createAncestryCheck(
      { electorate: ports.electorates.latest, everyMs: ancestryEveryMs, isLinked },
      ports,
    )
  }

  of(tag: Tag): Head | null {
    return this.#agreed[tag]
  }

  /** What the nodes have shown under this tag. */
  views(tag: Tag): Views {
    return this.#views[tag]
  }

  /** For longer than nodes may be apart, one has shown a higher block than the agreed one. */
  isPassed(tag: Tag): boolean {
    const agreed = this.#agreed[tag]
    return agreed !== null && this.#heights[tag].isPassed(agreed.block.number, this.#ports.clock.now())
  }

  /** Whether a node at this block has been behind the head for longer than nodes may be apart. */
  isLeftBehind(number: number): boolean {
    return this.#reached.isPassed(number, this.#ports.clock.now())
  }

  /** All nodes have been asked: whatever higher block one of them shows is not agreed on. */
  clearHeights(tag: Tag): void {
    this.#heights[tag].clear()
  }

  /** Takes in what a poll has brought so far. True when it settles the agreed block. */
  admit(tag: Tag, poll: PollState): boolean {
    const isSettled = this.#decide(tag, poll)
    const nowMs = this.#ports.clock.now()
    for (const number of poll.heard.values()) this.#heights[tag].note(number, nowMs)
    const agreed = this.#agreed[tag]
    if (tag === 'latest' && agreed !== null) this.#reached.note(agreed.block.number, nowMs)
    return isSettled
  }

  #decide(tag: Tag, poll: PollState): boolean {
    const { clock } = this.#ports
    const { electorate, policy, isThin } = poll
    const nowMs = clock.now()
    const isLatest = tag === 'latest'
    const agreed = this.#agreed[tag]
    const isConfirmed = isQuorum(electorate, operatorsOfNodes(electorate, agreed?.nodes ?? []))
    const decision = decideHead(
      {
        head: agreed?.block ?? null,
        hashAt: (number) => (isLatest ? this.chain.hashAt(number) : null),
        nodeViews: this.#views[tag].nodeViews(),
        mayReset: isLatest && this.#rollback.isDue(nowMs),
        isConfirmed,
      },
      poll,
      { electorate, walkMax: this.#walkMax },
    )
    if ('isLower' in decision && decision.isLower && isLatest) this.#rollback.countLowering(nowMs)
    if (decision.kind === 'contradicted' && agreed !== null) {
      // It is served no more, and stays as what later heads are compared with.
      this.#agreed[tag] = { ...agreed, seenMs: Number.NEGATIVE_INFINITY }
      return false
    }
    if (decision.kind === 'contradicted' || decision.kind === 'nothing' || decision.kind === 'poll-everybody')
      return false
    if (decision.kind === 'keep') {
      // More than half of all weight shows only a lower block: it does not confirm this one.
      const isUnconfirmed = decision.isLower && policy === 'tightened'
      // The nodes that showed it with witnesses may be no everyday quorum: it keeps the policy by which it was agreed.
      const isByPolicy = policy !== 'everyday' || isConfirmed
      if (agreed !== null)
        this.#agreed[tag] = {
          ...agreed,
          seenMs: nowMs,
          ...(isByPolicy && { policy, isThin: isThin || isUnconfirmed }),
        }
      return true
    }
    const next: Head = { ...decision.found, seenMs: nowMs, confirmedMs: nowMs, policy, isThin }
    if (decision.kind === 'reset') this.#reset(decision.from, next)
    else if (isLatest) this.#adopt(next)
    else this.#agreed[tag] = next
    return true
  }

  /** A voter is missing: an agreed block that is no quorum's of this electorate is thin from now on. */
  tighten(tag: Tag, electorate: Electorate): void {
    const agreed = this.#agreed[tag]
    if (agreed === null || isQuorum(electorate, operatorsOfNodes(electorate, agreed.nodes))) return
    this.#agreed[tag] = { ...agreed, policy: 'tightened', isThin: true }
  }

  /** Takes in a block that a quorum gave for its number. */
  learn(block: AgreedBlock): void {
    const from = this.chain.learn(block)
    if (from !== null) this.#orphaned(from)
  }

  /** A poll at the latest block has ended with an agreed head; these were asked. */
  async afterPoll(polled: readonly NodeIndex[]): Promise<void> {
    const from = await this.#ancestry.afterPoll(polled)
    if (from === null) return
    this.chain.dropUnlinked()
    this.#orphaned(from)
  }

  /** Resolves when no request of it is in flight any more. */
  ended(): Promise<void> {
    return this.#ancestry.ended()
  }

  close(): void {
    this.#ancestry.close()
  }

  #reset(from: BlockId, next: Head): void {
    this.chain.rollBack(next.block)
    this.#reached.clear()
    this.#tellReorg(from, next.block, true)
    this.#become(next)
    this.#ports.onHead(next)
  }

  #adopt(next: Head): void {
    const before = this.#agreed.latest?.block ?? null
    const wasLowered = this.#rollback.isLowered()
    const reorg = this.chain.admit(next.block)
    if (reorg !== null) this.#tellReorg(reorg.from, next.block, reorg.isDeep)
    else if (before !== null && !this.chain.descendsFrom(before)) this.#ancestry.open(before, wasLowered)
    this.#become(next)
    if (next.block.hash !== before?.hash) this.#ports.onHead(next)
  }

  /** The head does not descend from this block that was agreed before. */
  #orphaned(from: BlockId): void {
    this.#tellReorg(from, (this.#agreed.latest as Head).block, true)
  }

  #become(next: Head): void {
    this.#rollback.confirmed()
    this.#agreed.latest = next
  }

  #tellReorg(from: BlockId, to: BlockId, isDeep: boolean): void {
    this.#ancestry.forget()
    if (isDeep) this.#forgetFinality()
    this.#ports.onReorg(from, to, isDeep)
  }

  /** After a reorg of unknown depth nothing is final until nodes say so again. */
  #forgetFinality(): void {
    for (const tag of ['safe', 'finalized'] as const) {
      this.#agreed[tag] = null
      this.#views[tag] = createHeadViews()
    }
  }
}

/** How long polls have found only blocks below the head. */
interface RollbackTimer {
  /** A poll finds a lower block. */
  readonly countLowering: (nowMs: number) => void
  /** A quorum shows the head, or a block that follows it. */
  readonly confirmed: () => void
  /** The last poll found a lower block. */
  readonly isLowered: () => boolean
  /** With a lower block found now, polls have found nothing else for `resetMs`. */
  readonly isDue: (nowMs: number) => boolean
}

/** There are no polls without traffic, so a pause between two polls counts for no more than this share of the time. */
const pauseShareMax = 1 / 3

function createRollbackTimer(resetMs: number): RollbackTimer {
  let since: { readonly polledMs: number; readonly loweredMs: number } | null = null

  function loweredMs(nowMs: number): number {
    const pauseMs = since === null ? 0 : Math.min(nowMs - since.polledMs, resetMs * pauseShareMax)
    return (since?.loweredMs ?? 0) + pauseMs
  }

  return {
    countLowering(nowMs) {
      since = { polledMs: nowMs, loweredMs: loweredMs(nowMs) }
    },
    confirmed() {
      since = null
    },
    isLowered: () => since !== null,
    isDue: (nowMs) => loweredMs(nowMs) >= resetMs,
  }
}
