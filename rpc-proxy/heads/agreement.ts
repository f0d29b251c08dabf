import type { BlockId } from '../events/evidence-types.ts'
import { type Electorate, isQuorum, operatorsOfNodes } from '../quorum/electorate.ts'
import type { NodeIndex } from '../runtime/indexes.ts'
import { AncestryCheck } from './ancestry-check.ts'
import { decideHead, type FoundHead } from './head-decision.ts'
import { type AgreedBlock, HeadViews, type Tag } from './head-views.ts'
import type { HeaderPorts } from './header-round.ts'
import { HeightLog } from './height-log.ts'
import type { PollState } from './poll-state.ts'

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

export type BlocksByTag = Readonly<Record<Tag, Head | null>>

interface AgreementOptions {
  /** What it begins with. */
  readonly agreed: BlocksByTag
  /** A head that no quorum has shown for so long, while polls found a lower block, is replaced by that block. */
  readonly resetMs: number
  /** How long nodes may be apart at the latest block; at a final one ten times as long. */
  readonly apartMs: number
}

export interface HeadAgreementPorts extends HeaderPorts {
  /** What a quorum takes: final blocks take a majority. */
  readonly electorates: Readonly<Record<Tag, Electorate>>
  readonly onHead: (agreed: Head) => void
  /** `isDeep`: of unknown depth; final blocks may be gone too. */
  readonly onReorg: (from: BlockId, to: BlockId, isDeep: boolean) => void
}

/** What is agreed, from poll to poll. */
export class HeadAgreement {
  readonly chain = new AgreedChain()
  readonly #ports: HeadAgreementPorts
  readonly #agreed: Record<Tag, Head | null>
  readonly #views: Record<Tag, HeadViews> = {
    latest: new HeadViews(),
    safe: new HeadViews(),
    finalized: new HeadViews(),
  }
  /** The highest blocks that any node has shown since all were last asked. */
  readonly #heights: Readonly<Record<Tag, HeightLog>>
  /** The agreed heads. */
  readonly #reached: HeightLog
  readonly #rollback: RollbackTimer
  readonly #ancestry: AncestryCheck

  constructor({ agreed, resetMs, apartMs }: AgreementOptions, ports: HeadAgreementPorts) {
    this.#ports = ports
    this.#heights = {
      latest: new HeightLog(apartMs),
      safe: new HeightLog(10 * apartMs),
      finalized: new HeightLog(10 * apartMs),
    }
    this.#reached = new HeightLog(apartMs)
    this.#agreed = { ...agreed }
    if (agreed.latest !== null) this.chain.admit(agreed.latest.block)
    this.#rollback = new RollbackTimer(resetMs)
    const isLinked = (from: BlockId) => this.chain.descendsFrom(from)
    this.#ancestry = new AncestryCheck({ electorate: ports.electorates.latest, isLinked }, ports)
  }

  of(tag: Tag): Head | null {
    return this.#agreed[tag]
  }

  views(tag: Tag): HeadViews {
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
    )
    const isLower = 'isLower' in decision && decision.isLower
    // A quorum has confirmed the head since this poll began. A lower block in this poll may be an older head.
    const isOutdated = isLower && isConfirmed && (agreed?.confirmedMs ?? 0) > poll.sinceMs
    if (isLower && isLatest && !isOutdated) this.#rollback.countLowering(nowMs)
    if (decision.kind === 'contradicted' && agreed !== null) {
      // It is served no more, and stays as what later heads are compared with.
      this.#agreed[tag] = { ...agreed, seenMs: Number.NEGATIVE_INFINITY }
      return false
    }
    if (decision.kind === 'contradicted' || decision.kind === 'nothing' || decision.kind === 'poll-everybody')
      return false
    const isSame = decision.kind === 'keep' || decision.found.block.hash === agreed?.block.hash
    // A late reply makes what others have replied before no younger.
    const seenMs = isSame && poll.isAgreed ? Math.max(agreed?.seenMs ?? 0, poll.sinceMs) : nowMs
    if (decision.kind === 'keep') {
      if (agreed === null || isOutdated) return true
      // More than half of all weight shows only a lower block: it does not confirm this one.
      const isUnconfirmed = isLower && policy === 'tightened'
      // The nodes that showed it with witnesses may be no everyday quorum: it keeps the policy by which it was agreed.
      const isByPolicy = policy !== 'everyday' || isConfirmed
      this.#agreed[tag] = {
        ...agreed,
        seenMs,
        ...(isByPolicy && { policy, isThin: isThin || isUnconfirmed }),
      }
      return true
    }
    const next: Head = { ...decision.found, seenMs, confirmedMs: nowMs, policy, isThin }
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
      this.#views[tag] = new HeadViews()
    }
  }
}

/** There are no polls without traffic, so a pause between two polls counts for no more than this share of the time. */
const pauseShareMax = 1 / 3

/** How long polls have found only blocks below the head. */
class RollbackTimer {
  readonly #resetMs: number
  #since: { readonly polledMs: number; readonly loweredMs: number } | null = null

  constructor(resetMs: number) {
    this.#resetMs = resetMs
  }

  /** A poll finds a lower block. */
  countLowering(nowMs: number): void {
    this.#since = { polledMs: nowMs, loweredMs: this.#loweredMs(nowMs) }
  }

  /** A quorum shows the head, or a block that follows it. */
  confirmed(): void {
    this.#since = null
  }

  /** The last poll found a lower block. */
  isLowered(): boolean {
    return this.#since !== null
  }

  /** With a lower block found now, polls have found nothing else for `resetMs`. */
  isDue(nowMs: number): boolean {
    return this.#loweredMs(nowMs) >= this.#resetMs
  }

  #loweredMs(nowMs: number): number {
    if (this.#since === null) return 0
    const { polledMs, loweredMs } = this.#since
    return loweredMs + Math.min(nowMs - polledMs, this.#resetMs * pauseShareMax)
  }
}

/** Blocks that were agreed no longer belong to the chain. */
interface Reorg {
  readonly from: BlockId
  /** A reorg of unknown depth. */
  readonly isDeep: boolean
}

const blocksMax = 256

/** The last `blocksMax` agreed blocks, and which of them the head is known to descend from. */
export class AgreedChain {
  readonly #hashes = new Map<number, string>()
  readonly #blocks = new Map<number, AgreedBlock>()
  /** Read by number, and not known to belong to the chain. */
  readonly #read = new Map<number, AgreedBlock>()
  #head: AgreedBlock | null = null
  /** From here up, each block is known to be the parent of the next. */
  #linkedFrom = 0

  /** The agreed hash at a number of the head's own branch, as far back as parent hashes reach; null where no node has shown it. */
  hashAt(number: number): string | null {
    return (number < this.#linkedFrom ? null : this.#hashes.get(number)) ?? null
  }

  /** The hash last agreed on at a number, though the head may since have jumped past blocks that nobody showed. */
  lastHashAt(number: number): string | null {
    return this.#hashes.get(number) ?? null
  }

  blockAt(number: number): AgreedBlock | null {
    return (number < this.#linkedFrom ? null : this.#blocks.get(number)) ?? null
  }

  /** The agreed block of this hash, wherever the head has jumped to. */
  blockOf(hash: string): AgreedBlock | null {
    for (const block of this.#blocks.values()) if (block.hash === hash) return block
    return null
  }

  /** The highest agreed block below a number. */
  below(number: number): BlockId | null {
    const lowest = Math.max(number - blocksMax, this.#linkedFrom)
    for (let at = number - 1; at >= lowest; at--) {
      const hash = this.hashAt(at)
      if (hash !== null) return { number: at, hash }
    }
    return null
  }

  descendsFrom({ number, hash }: BlockId): boolean {
    return this.hashAt(number) === hash
  }

  /** The lowest number for which `hashAt` knows a hash. */
  lowest(): number {
    return this.#linkedFrom
  }

  /** Numbers between `from` and `lowest` for which no block has been read that would link them. */
  unreadFrom(from: number): readonly number[] {
    const count = Math.max(0, this.#linkedFrom - from + 1)
    const numbers = Array.from({ length: count }, (_, index) => from + index)
    return numbers.filter((number) => !this.#read.has(number))
  }

  /** Takes a block in. Where it contradicts agreed blocks, drops all that depend on them and returns the reorg. */
  admit(block: AgreedBlock): Reorg | null {
    const { number, hash, parentHash } = block
    const old = this.#head
    const here = this.#hashes.get(number)
    const parent = this.#hashes.get(number - 1)
    const isOtherChild = parent !== undefined && parentHash !== null && parent !== parentHash
    const isReorg = (here !== undefined && here !== hash) || isOtherChild
    // Nobody has said how deep it goes: only old blocks that the new one's ancestors confirm may stay, and we know one ancestor.
    const isDeep = isReorg && parent !== parentHash
    if (isReorg) this.#drop(isDeep ? 0 : number)
    if (old === null || isReorg || number > old.number) {
      const isLinked = parent === parentHash && number > this.#linkedFrom
      if (!isLinked) this.#linkedFrom = parentHash === null ? number : number - 1
      this.#head = block
    }
    this.#hashes.set(number, hash)
    if (number > 0 && parentHash !== null) this.#hashes.set(number - 1, parentHash)
    const known = this.#blocks.get(number)
    this.#blocks.set(number, known?.hash === hash ? merged(known, block) : block)
    dropBelow(number - blocksMax, this.#hashes, this.#blocks)
    return isReorg && old !== null ? { from: old, isDeep } : null
  }

  /**
   * Takes in a block that was read by its number. It counts as soon as the blocks above it name it as their parent. Returns
   * a block that was agreed before and is not one of their ancestors.
   */
  learn(block: AgreedBlock): BlockId | null {
    const top = this.#head?.number ?? -1
    const lowest = top - blocksMax + 1
    if (block.number > top || block.number < lowest) return null
    this.#read.set(block.number, block)
    dropBelow(lowest, this.#read)
    return this.#link()
  }

  /** Makes a lower block the head. Drops the blocks above it, and all others too where it is not one of ours. */
  rollBack(block: AgreedBlock): void {
    this.#drop(this.lastHashAt(block.number) === block.hash ? block.number + 1 : 0)
    this.#head = null
    this.admit(block)
  }

  /** Drops the blocks from which the head is not known to descend. */
  dropUnlinked(): void {
    dropBelow(this.#linkedFrom, this.#hashes, this.#blocks)
  }

  /** Follows the parents down from the head as far as blocks are known. Returns the first agreed block that is not one of them. */
  #link(): BlockId | null {
    const lowest = Math.max(0, (this.#head?.number ?? 0) - blocksMax)
    while (this.#linkedFrom > lowest) {
      const at = this.#linkedFrom
      const block = this.#read.get(at) ?? this.#blocks.get(at)
      if (block === undefined || block.hash !== this.#hashes.get(at) || block.parentHash === null) return null
      const before = this.#hashes.get(at - 1)
      const isOrphaned = before !== undefined && before !== block.parentHash
      if (isOrphaned) this.dropUnlinked()
      this.#blocks.set(at, block)
      this.#hashes.set(at - 1, block.parentHash)
      this.#linkedFrom = at - 1
      if (isOrphaned) return { number: at - 1, hash: before }
    }
    return null
  }

  /** Drops an agreed hash that another agreed block has replaced, and everything above it. */
  #drop(from: number): void {
    for (const known of [this.#hashes, this.#blocks, this.#read])
      for (const number of known.keys()) if (number >= from) known.delete(number)
  }
}

function dropBelow(from: number, ...all: readonly Map<number, unknown>[]): void {
  for (const known of all) for (const number of known.keys()) if (number < from) known.delete(number)
}

/** A block that was agreed on twice: keeps what follows from its hash, and what a quorum showed of it the first time only. */
function merged(known: AgreedBlock, block: AgreedBlock): AgreedBlock {
  const transactions = block.transactions ?? known.transactions
  if (known.stateRoot !== null) return { ...known, transactions }
  return {
    ...block,
    parentHash: block.parentHash ?? known.parentHash,
    logsBloom: block.logsBloom ?? known.logsBloom,
    gasLimit: block.gasLimit ?? known.gasLimit,
    transactions,
  }
}
