import { CallError } from '../errors.ts'
import { type Agreed, Agreement, type AgreementPorts } from './agreement.ts'
import type { Look } from './headers.ts'
import type { AgreedChain } from './known-blocks.ts'
import { type LookPorts, runLook, type Tag } from './look.ts'
import { createReach } from './reach.ts'
import type { AgreedBlock } from './views.ts'

export type { Agreed } from './agreement.ts'

export interface HeadsPorts extends LookPorts, Pick<AgreementPorts, 'onHead' | 'onReorg'> {
  /** A look at the latest block has ended with an agreed head; these were asked. */
  readonly onLooked: (number: number, asked: readonly number[]) => void
}

export interface HeadsOptions {
  readonly maxAgeMs: number
  /** A head that no quorum has shown for so long, while looks found a lower block, is given up for that block. */
  readonly resetMs: number
  readonly deadlineMs: number
  /** Nodes that the look did not need are looked at this often. */
  readonly othersEveryMs?: number
  /** A head older than this is not served while a look is under way; it is waited for. */
  readonly staleMsMax?: number
  /** How far a look walks back for a block that a quorum shows. */
  readonly walkMax?: number
}

/** Which block is now: agreed, never made up, never going back but for an agreed reorg. */
export interface Heads
  extends Pick<
    AgreedChain,
    'hashAt' | 'lowest' | 'unreadFrom' | 'lastHashAt' | 'blockAt' | 'blockOf' | 'below'
  > {
  /** The agreed head. Older than `maxAgeMs`, it is served once more while a look goes on behind it. Throws `no-quorum`. */
  readonly fresh: () => Agreed | Promise<Agreed>
  readonly at: (tag: 'safe' | 'finalized') => Agreed | Promise<Agreed>
  /** What is known, without looking. */
  readonly current: (tag?: Tag) => Agreed | null
  /** Takes in a block that a quorum gave for its number: from when the head is known to stand on it, `hashAt` tells it. */
  readonly learn: (block: AgreedBlock) => void
  /** Whether a node has lately shown a block of this number or a later one. */
  readonly isShown: (number: number) => boolean
  /** Waits until the head has reached `number`, at most `ms`. */
  readonly reach: (number: number, ms: number) => Promise<boolean>
  /** Looks now, whatever the age; resolves when the look has ended. */
  readonly look: () => Promise<void>
  readonly close: () => void
}

/** The oldest head that is answered while a look is under way, by the age from which on it is looked at. */
export const staleMsOf = (maxAgeMs: number): number => Math.max(4 * maxAgeMs, 4_000)

export function createHeads(options: HeadsOptions, ports: HeadsPorts): Heads {
  const { maxAgeMs, resetMs, deadlineMs, othersEveryMs = 30_000, walkMax = 64 } = options
  const { staleMsMax = staleMsOf(maxAgeMs) } = options
  const { clock } = ports
  const looking: Record<Tag, { done: Promise<void>; first: Promise<void> } | null> = {
    latest: null,
    safe: null,
    finalized: null,
  }
  const lastSeenMs = new Map<number, number>()
  let finalityLookedMs = Number.NEGATIVE_INFINITY
  const open = new Set<() => void>()
  const agreement = new Agreement(
    { resetMs, walkMax, gapEveryMs: othersEveryMs },
    {
      ...ports,
      open,
      onReorg(from, to, isDeep) {
        if (isDeep) finalityLookedMs = Number.NEGATIVE_INFINITY
        ports.onReorg(from, to, isDeep)
      },
    },
  )
  const { chain } = agreement
  const of = (tag: Tag) => agreement.of(tag)
  const waiters = createReach({
    clock,
    height: () => of('latest')?.block.number ?? -1,
    look: () => look('latest').done,
  })

  function admit(tag: Tag, found: Look): boolean {
    const isFound = agreement.admit(tag, found)
    if (tag === 'latest') waiters.moved()
    return isFound
  }

  /** `done` resolves when the look has ended; `first` as soon as there is an agreed block, with `done` at the latest. */
  function startLook(tag: Tag): { done: Promise<void>; first: Promise<void> } {
    let admitted: () => void = () => {}
    const first = new Promise<void>((resolve) => {
      admitted = resolve
    })
    const done = runLook(
      { tag, deadlineMs, othersEveryMs, walkMax, open },
      {
        views: agreement.views(tag),
        lastSeenMs,
        admit: (look) => admit(tag, look),
        isAgreed: (sinceMs) => isAgreed(tag, sinceMs),
        admitted,
        looked(asked) {
          if (tag !== 'latest') return
          ports.onLooked((of('latest') as Agreed).block.number, asked)
          agreement.looked(asked)
        },
      },
      ports,
    ).finally(() => {
      looking[tag] = null
      admitted()
    })
    return { done, first }
  }

  function isAgreed(tag: Tag, sinceMs: number): boolean {
    const found = of(tag)
    return found !== null && found.seenMs >= sinceMs
  }

  function look(tag: Tag): { done: Promise<void>; first: Promise<void> } {
    looking[tag] ??= startLook(tag)
    return looking[tag]
  }

  /** No promise where it is known: every call asks. */
  function upToDate(tag: Tag, ageMs: number, staleMs: number): Agreed | Promise<Agreed> {
    const known = of(tag)
    const age = known === null ? Number.POSITIVE_INFINITY : clock.now() - known.seenMs
    if (known !== null && age <= ageMs) return known
    const { first } = look(tag)
    if (known !== null && age <= staleMs) return known
    return afterLook(tag, first, staleMs)
  }

  async function afterLook(tag: Tag, first: Promise<void>, staleMs: number): Promise<Agreed> {
    await first
    const found = of(tag)
    // A head that no look confirms is not the head any more.
    if (found === null || clock.now() - found.seenMs > staleMs)
      throw new CallError('no-quorum', { data: { reason: 'heads' }, detail: `no agreed ${tag} block` })
    return found
  }

  return {
    fresh() {
      // Finality is looked at a tenth as often, in the background unless a call asks for it.
      if (
        clock.now() - (of('finalized')?.seenMs ?? 0) > maxAgeMs * 10 &&
        clock.now() - finalityLookedMs > maxAgeMs * 10
      ) {
        finalityLookedMs = clock.now()
        void look('finalized')
      }
      return upToDate('latest', maxAgeMs, staleMsMax)
    },
    at: (tag) => upToDate(tag, maxAgeMs * 10, staleMsMax * 10),
    current: (tag = 'latest') => of(tag),
    hashAt: (number) => chain.hashAt(number),
    lowest: () => chain.lowest(),
    unreadFrom: (from) => chain.unreadFrom(from),
    lastHashAt: (number) => chain.lastHashAt(number),
    blockAt: (number) => chain.blockAt(number),
    blockOf: (hash) => chain.blockOf(hash),
    below: (number) => chain.below(number),
    learn: (block) => agreement.learn(block),
    isShown: (number) =>
      agreement
        .views('latest')
        .shown()
        .some(({ view }) => (view.latest()?.number ?? -1) >= number),
    reach: waiters.reach,
    look: () => look('latest').done,
    close() {
      for (const giveUp of open) giveUp()
    },
  }
}
