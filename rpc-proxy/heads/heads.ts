import type { Clock } from '../clock.ts'
import { CallError } from '../errors.ts'
import type { BlockId } from '../events.ts'
import { createAgreedChain } from './chain.ts'
import { createHeaders, type Headers } from './headers.ts'
import { createReach } from './reach.ts'
import { createRound, type Round } from './round.ts'
import {
  type AgreedBlock,
  createView,
  type Header,
  highestShown,
  rankedNumber,
  type Showing,
  type View,
} from './views.ts'

export type Tag = 'latest' | 'safe' | 'finalized'

/** An agreed block and who agreed on it. */
export interface Agreed {
  readonly block: AgreedBlock
  /** Places of the voters that showed this hash, and of all that were asked. */
  readonly voters: readonly number[]
  readonly asked: readonly number[]
  /** When a look last confirmed it. */
  readonly seenMs: number
}

export interface HeadsPorts {
  readonly clock: Clock
  /** Voters in the order in which to ask; those that are due another try are marked. */
  readonly voters: () => readonly {
    readonly voter: number
    readonly usable: boolean
    readonly due: boolean
    readonly stallMs: number
  }[]
  /** One eth_getBlockByNumber; null for anything that is not a header. */
  readonly look: (voter: number, block: string, signal: AbortSignal) => Promise<Header | null>
  readonly isQuorum: (voters: readonly number[], majority: boolean) => boolean
  readonly onHead: (agreed: Agreed) => void
  readonly onReorg: (from: BlockId, to: BlockId) => void
  readonly onNodeHead: (voter: number, number: number) => void
  /** A look at the latest block has ended with an agreed head; these were asked. */
  readonly onLooked: (number: number, asked: readonly number[]) => void
  /** A look was given up on this voter after its stall, while others answered. */
  readonly onSilent: (voter: number) => void
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
  readonly fresh: () => Promise<Agreed>
  readonly at: (tag: 'safe' | 'finalized') => Promise<Agreed>
  /** What is known, without looking. */
  readonly current: (tag?: Tag) => Agreed | null
  readonly hashAt: (number: number) => string | null
  /** The hash last agreed on at a number, whether or not the head is known to stand on it. */
  readonly lastHashAt: (number: number) => string | null
  readonly blockAt: (number: number) => AgreedBlock | null
  readonly below: (number: number) => BlockId | null
  /** Waits until the head has reached `number`, at most `ms`. */
  readonly reach: (number: number, ms: number) => Promise<boolean>
  /** Looks now, whatever the age; resolves when the look has ended. */
  readonly look: () => Promise<void>
  readonly close: () => void
}

/** What one look has brought so far. */
interface Look {
  readonly headers: Headers
  readonly asked: readonly number[]
  /** Voters who have spoken in it. */
  readonly heard: Set<number>
  /** Voters who have stalled on the way back: nobody waits for them at the next step. */
  readonly silent: Set<number>
  readonly endMs: number
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
  const views: Record<Tag, Map<number, View>> = { latest: new Map(), safe: new Map(), finalized: new Map() }
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

  function showings(tag: Tag): readonly Showing[] {
    return [...views[tag]].map(([voter, view]) => ({ voter, view }))
  }

  function viewOf(tag: Tag, voter: number): View {
    const view = views[tag].get(voter) ?? createView()
    views[tag].set(voter, view)
    return view
  }

  /**
   * Admits the highest block that a quorum shows. True when one was found: by voters who have spoken in this very look,
   * for what the silent ones showed once says nothing of now.
   */
  function admit(tag: Tag, { headers, asked, heard }: Look): boolean {
    const shown = showings(tag)
    const isQuorum = (voters: readonly number[]) => ports.isQuorum(voters, tag !== 'latest')
    const to = rankedNumber(shown, isQuorum)
    const support = to === null ? null : highestShown(shown, Math.max(to - walkMax, 0), to, isQuorum)
    if (support === null || !isQuorum(support.voters.filter((voter) => heard.has(voter)))) return false
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
      if (isQuorum(loyal.filter((voter) => heard.has(voter))) && known !== null) {
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

  /** One look: the latest block of the quorum set and one more, then, where they do not meet, of a block that all have. */
  function startLook(tag: Tag): { done: Promise<void>; first: Promise<void> } {
    let admitted: () => void = () => {}
    const first = new Promise<void>((resolve) => {
      admitted = resolve
    })
    const done = runLook(tag, admitted).finally(() => {
      looking[tag] = null
      admitted()
    })
    return { done, first }
  }

  async function runLook(tag: Tag, admitted: () => void): Promise<void> {
    const ordered = ports.voters()
    const sinceMs = clock.now()
    const stallMsOf = (voter: number) => ordered.find((entry) => entry.voter === voter)?.stallMs ?? 0
    const round = createRound({ deadlineMs, stallMsOf, open }, ports)
    const headers = createHeaders()
    const asked: number[] = []
    const heard = new Set<number>()
    const own: Look = { headers, asked, heard, silent: new Set(), endMs: sinceMs + deadlineMs }

    const replies = new Map<number, Promise<void>>()

    /** Asks a voter for its latest; resolves when it has replied or stalled. What it says is taken in whenever it comes. */
    function see(voter: number): Promise<void> {
      asked.push(voter)
      if (tag === 'latest') lastSeenMs.set(voter, sinceMs)
      const { header, waited } = round.look(voter, tag)
      const taken = header.then((found) => takeIn(voter, found))
      replies.set(voter, taken)
      return Promise.race([waited, taken])
    }

    function takeIn(voter: number, header: Header | null): void {
      if (header === null) return
      heard.add(voter)
      headers.add(voter, header)
      viewOf(tag, voter).saw(header)
      if (tag === 'latest') ports.onNodeHead(voter, header.number)
      if (admit(tag, own)) admitted()
    }

    try {
      const chosen = quorumSetAndOne(ordered, tag !== 'latest')
      const isDue = (voter: number) =>
        tag === 'latest' && sinceMs - (lastSeenMs.get(voter) ?? Number.NEGATIVE_INFINITY) >= othersEveryMs
      const others = ordered
        .filter(({ voter, due }) => !chosen.includes(voter) && (due || isDue(voter)))
        .map(({ voter }) => voter)
      const rest = ordered
        .map(({ voter }) => voter)
        .filter((voter) => !chosen.includes(voter) && !others.includes(voter))
      const otherLooks = others.map(see)
      await Promise.all(chosen.map(see))
      if (isAgreed(tag, sinceMs)) return
      // The chosen ones do not meet, or were silent: everybody else is heard, then all look at a block that a quorum has.
      await Promise.all([...otherLooks, ...rest.map(see)])
      if (isAgreed(tag, sinceMs)) return
      await walkBack(tag, own, round)
      if (isAgreed(tag, sinceMs)) return admitted()
      // Whoever stalled may still come, until the deadline, and there is nothing else to wait for; but nobody waits for those
      // that have been silent too often.
      await Promise.all(ordered.flatMap(({ voter, usable }) => (usable ? [replies.get(voter)] : [])))
      if (!isAgreed(tag, sinceMs)) await walkBack(tag, own, round)
      if (isAgreed(tag, sinceMs)) admitted()
    } finally {
      const isDone = isAgreed(tag, sinceMs)
      round.end(isDone)
      if (isDone && tag === 'latest') ports.onLooked((agreed.latest as Agreed).block.number, asked)
    }
  }

  function isAgreed(tag: Tag, sinceMs: number): boolean {
    const found = agreed[tag]
    return found !== null && found.seenMs >= sinceMs
  }

  /** Looks at the highest number that a quorum has passed, then further and further back, until a quorum shows one hash. */
  async function walkBack(tag: Tag, own: Look, round: Round): Promise<void> {
    const ranked = rankedNumber(showings(tag), (voters) => ports.isQuorum(voters, tag !== 'latest'))
    if (ranked === null) return
    for (let back = 0; back <= walkMax; back = back === 0 ? 1 : back * 2) {
      const number = ranked - back
      if (number < 0 || clock.now() >= own.endMs) return
      const able = showings(tag).filter(
        ({ voter, view }) => (view.latest()?.number ?? -1) >= number && !own.silent.has(voter),
      )
      const unknown = able.filter(({ view }) => view.hashAt(number) === null)
      await Promise.all(
        unknown.map(({ voter }) => {
          const { header, waited } = round.look(voter, `0x${number.toString(16)}`)
          own.silent.add(voter)
          const taken = header.then((found) => {
            own.silent.delete(voter)
            if (found?.number !== number) return
            own.heard.add(voter)
            own.headers.add(voter, found)
            viewOf(tag, voter).looked(found)
          })
          return Promise.race([waited, taken])
        }),
      )
      if (admit(tag, own)) return
    }
  }

  function quorumSetAndOne(
    ordered: readonly { voter: number; usable: boolean }[],
    majority: boolean,
  ): number[] {
    const chosen: number[] = []
    for (const { voter } of ordered) {
      const enough = ports.isQuorum(chosen, majority)
      chosen.push(voter)
      if (enough) break
    }
    return chosen
  }

  function look(tag: Tag): { done: Promise<void>; first: Promise<void> } {
    looking[tag] ??= startLook(tag)
    return looking[tag]
  }

  async function upToDate(tag: Tag, ageMs: number, staleMs: number): Promise<Agreed> {
    const known = agreed[tag]
    const age = known === null ? Number.POSITIVE_INFINITY : clock.now() - known.seenMs
    if (known !== null && age <= ageMs) return known
    const { first } = look(tag)
    if (known !== null && age <= staleMs) return known
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
    below: chain.below,
    reach: waiters.reach,
    look: () => look('latest').done,
    close() {
      for (const giveUp of open) giveUp()
    },
  }
}
