import { CallError } from '../errors.ts'
import type { BlockId } from '../events.ts'
import { createAgreedChain } from './chain.ts'
import type { Look } from './headers.ts'
import { type LookPorts, runLook, type Tag } from './look.ts'
import { createReach } from './reach.ts'
import { type AgreedBlock, createViews, highestShown, rankedNumber, shownAt, type Views } from './views.ts'

/** An agreed block and who agreed on it. */
export interface Agreed {
  readonly block: AgreedBlock
  /** Places of the voters that showed this hash, and of all that were asked. */
  readonly voters: readonly number[]
  readonly asked: readonly number[]
  /** When a look last confirmed it. */
  readonly seenMs: number
}

export interface HeadsPorts extends LookPorts {
  readonly onHead: (agreed: Agreed) => void
  readonly onReorg: (from: BlockId, to: BlockId) => void
  /** A look at the latest block has ended with an agreed head; these were asked. */
  readonly onLooked: (number: number, asked: readonly number[]) => void
}

export interface HeadsOptions {
  readonly maxAgeMs: number
  readonly deadlineMs: number
  /** Nodes that the look did not need are looked at this often. */
  readonly othersEveryMs?: number
  /** A head older than this is not served while a look is under way; it is waited for. */
  readonly staleMsMax?: number
  /** How far a look walks back for a block that a quorum shows. */
  readonly walkMax?: number
}

/** Which block is now: agreed, never made up, never going back but for an agreed reorg. */
export interface Heads {
  /** The agreed head. Older than `maxAgeMs`, it is served once more while a look goes on behind it. Throws `no-quorum`. */
  readonly fresh: () => Agreed | Promise<Agreed>
  readonly at: (tag: 'safe' | 'finalized') => Agreed | Promise<Agreed>
  /** What is known, without looking. */
  readonly current: (tag?: Tag) => Agreed | null
  readonly hashAt: (number: number) => string | null
  /** The hash last agreed on at a number, whether or not the head is known to stand on it. */
  readonly lastHashAt: (number: number) => string | null
  readonly blockAt: (number: number) => AgreedBlock | null
  readonly blockOf: (hash: string) => AgreedBlock | null
  readonly below: (number: number) => BlockId | null
  /** Whether a node has lately shown a block of this number or a later one. */
  readonly isShown: (number: number) => boolean
  /** Waits until the head has reached `number`, at most `ms`. */
  readonly reach: (number: number, ms: number) => Promise<boolean>
  /** Looks now, whatever the age; resolves when the look has ended. */
  readonly look: () => Promise<void>
  readonly close: () => void
}

export function createHeads(options: HeadsOptions, ports: HeadsPorts): Heads {
  const {
    maxAgeMs,
    deadlineMs,
    othersEveryMs = 30_000,
    staleMsMax = Math.max(4 * maxAgeMs, 4_000),
    walkMax = 64,
  } = options
  const { clock } = ports
  const chain = createAgreedChain()
  const views: Record<Tag, Views> = {
    latest: createViews(),
    safe: createViews(),
    finalized: createViews(),
  }
  const agreed: Record<Tag, Agreed | null> = { latest: null, safe: null, finalized: null }
  const looking: Record<Tag, { done: Promise<void>; first: Promise<void> } | null> = {
    latest: null,
    safe: null,
    finalized: null,
  }
  const lastSeenMs = new Map<number, number>()
  let finalityLookedMs = Number.NEGATIVE_INFINITY
  const waiters = createReach({
    clock,
    height: () => agreed.latest?.block.number ?? -1,
    look: () => look('latest').done,
  })
  const open = new Set<() => void>()

  /**
   * Admits the highest block that a quorum shows. True when one was found: by voters who have spoken of it or of what
   * comes after it in this very look, for what the silent ones showed once says nothing of now.
   */
  function admit(tag: Tag, { headers, asked, heard }: Look): boolean {
    const shown = views[tag].shown()
    const isQuorum = (voters: readonly number[]) => ports.isQuorum(voters, tag !== 'latest')
    const speaking = shown.filter(({ voter }) => heard.has(voter))
    const to = rankedNumber(speaking, isQuorum)
    const voices = {
      hasSpoken: (voter: number, number: number) => (heard.get(voter) ?? -1) >= number,
      operatorOf: ports.operatorOf,
    }
    const support =
      to === null ? null : highestShown(shown, { from: Math.max(to - walkMax, 0), to, isQuorum, ...voices })
    if (support === null) return false
    const next: Agreed = {
      block: headers.agreed(support.block, isQuorum),
      voters: support.voters,
      asked,
      seenMs: clock.now(),
    }
    const known = agreed[tag]
    const ours = tag === 'latest' ? chain.lastHashAt(next.block.number) : null
    if (
      known !== null &&
      next.block.number < known.block.number &&
      (ours === null || ours === next.block.hash)
    ) {
      // They are behind us, on our chain: what we have stands.
      agreed[tag] = { ...known, seenMs: next.seenMs }
      return true
    }
    if (ours !== null && ours !== next.block.hash) {
      const loyal = shown
        .filter(({ view }) => view.hashAt(next.block.number) === ours)
        .map(({ voter }) => voter)
      // Two quorums contradict each other: hear everybody, and while ours is one still, stay.
      if (isQuorum(loyal) && asked.length < ports.voters().length) return false
      if (isQuorum(shownAt(next.block.number, shown, voices).get(ours) ?? []) && known !== null) {
        agreed[tag] = { ...known, seenMs: next.seenMs }
        return true
      }
    }
    if (tag === 'latest') take(next)
    else agreed[tag] = next
    return true
  }

  function take(next: Agreed): void {
    const isNew = next.block.hash !== agreed.latest?.block.hash
    const replaced = chain.admit(next.block)
    if (replaced !== null) ports.onReorg(replaced, next.block)
    agreed.latest = next
    if (isNew) ports.onHead(next)
    waiters.moved()
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
        views: views[tag],
        lastSeenMs,
        admit: (look) => admit(tag, look),
        isAgreed: (sinceMs) => isAgreed(tag, sinceMs),
        admitted,
        looked(asked) {
          if (tag === 'latest') ports.onLooked((agreed.latest as Agreed).block.number, asked)
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
    const found = agreed[tag]
    return found !== null && found.seenMs >= sinceMs
  }

  function look(tag: Tag): { done: Promise<void>; first: Promise<void> } {
    looking[tag] ??= startLook(tag)
    return looking[tag]
  }

  /** No promise where it is known: every call asks. */
  function upToDate(tag: Tag, ageMs: number, staleMs: number): Agreed | Promise<Agreed> {
    const known = agreed[tag]
    const age = known === null ? Number.POSITIVE_INFINITY : clock.now() - known.seenMs
    if (known !== null && age <= ageMs) return known
    const { first } = look(tag)
    if (known !== null && age <= staleMs) return known
    return afterLook(tag, first, staleMs)
  }

  async function afterLook(tag: Tag, first: Promise<void>, staleMs: number): Promise<Agreed> {
    await first
    const found = agreed[tag]
    // A head that no look confirms is not the head any more.
    if (found === null || clock.now() - found.seenMs > staleMs)
      throw new CallError('no-quorum', { data: { reason: 'heads' }, detail: `no agreed ${tag} block` })
    return found
  }

  return {
    fresh() {
      // Finality is looked at a tenth as often, and nobody waits for it who does not ask for it.
      if (
        clock.now() - (agreed.finalized?.seenMs ?? 0) > maxAgeMs * 10 &&
        clock.now() - finalityLookedMs > maxAgeMs * 10
      ) {
        finalityLookedMs = clock.now()
        void look('finalized')
      }
      return upToDate('latest', maxAgeMs, staleMsMax)
    },
    at: (tag) => upToDate(tag, maxAgeMs * 10, staleMsMax * 10),
    current: (tag = 'latest') => agreed[tag],
    hashAt: chain.hashAt,
    lastHashAt: chain.lastHashAt,
    blockAt: chain.blockAt,
    blockOf: chain.blockOf,
    below: chain.below,
    isShown: (number) => views.latest.shown().some(({ view }) => (view.latest()?.number ?? -1) >= number),
    reach: waiters.reach,
    look: () => look('latest').done,
    close() {
      for (const giveUp of open) giveUp()
    },
  }
}
