import { headResetMsOf } from '../../../rpc-proxy/chain/head-tracker.ts'
import type { Bar } from './bars.ts'
import { headAgeMsMax, reachedAt, servedAgeMsMax } from './head-bound.ts'
import type { Report } from './judged-call.ts'
import { isBelow, tipBeforeReset, tipsSinceReset } from './resets.ts'
import type { Soundness } from './soundness.ts'
import { reachedBesideStanding } from './standing.ts'
import { blockOf, finalDepth, isForged, type Tip } from './universe.ts'
import { delayMsMax, type TipAt, tipAt, type WorldChain } from './world.ts'

/** Checks the heads that the engine reports against the chain (S9). */
export interface HeadWatch {
  readonly head: (block: { readonly number: number; readonly hash: string }) => void
  readonly reorg: () => void
  /** The chain starts again with another quorum, which may not show the last head yet. */
  readonly reloaded: () => void
  /** Some of those who showed the last head are not believed any more. */
  readonly distrusted: () => void
  /** Blocks known from a distrusted operator are forgotten, so a call under way is asked again. */
  readonly hasDistrustSince: (ms: number) => boolean
  /** A caller with a call from `startMs` got this head. */
  readonly served: (number: number, startMs: number) => void
  /** A call of any method from `startMs` was answered at this block, which its caller asked for as the latest. */
  readonly pinned: (number: number, startMs: number) => void
  readonly hasReorgSince: (ms: number) => boolean
  /** All heads reported so far, oldest first. For calls after a reset only those since the reset. */
  readonly reported: (startMs: number) => readonly Tip[]
  /** When the head of a reset chain was given up, if that was before this time; epoch milliseconds. */
  readonly givenUpMs: (ms: number) => number | null
  /** The highest final number at the end of a span, including the old chain's until its reset is known. */
  readonly final: (fromMs: number, toMs: number) => number
  /** The earliest report of the heads of a span, as a sequence number. Results at such a head are valid from then on. */
  readonly orderOfHeads: (fromMs: number, toMs: number) => number
  /** Since when the head at that time had been the head, epoch milliseconds. */
  readonly headSinceMs: (ms: number) => number
  /** Tips at which an answer may be true: reported heads of the span, and tips that nodes could see in it. */
  readonly tipsWithin: (fromMs: number, toMs: number, marginMs: number) => readonly Tip[]
  /** Of those, the chain's own. */
  readonly trueTipsWithin: HeadWatch['tipsWithin']
}

interface WatchPorts {
  readonly now: () => number
  readonly tick: () => number
  readonly soundness: Soundness
  /** By which a head may be agreed on. */
  readonly bars: readonly Bar[]
  readonly report: Report
}

interface ReportedHead {
  readonly atMs: number
  readonly order: number
  readonly tip: Tip
}

export function watchHeads(chain: WorldChain, { now, tick, soundness, bars, report }: WatchPorts): HeadWatch {
  const heads: ReportedHead[] = []
  const reorgMs: number[] = []
  const highest = { number: 0, endMs: Number.NEGATIVE_INFINITY }
  let reloadedMs = Number.NEGATIVE_INFINITY
  let distrustedMs = Number.NEGATIVE_INFINITY
  const since = tipsSinceReset(chain)
  const before = tipBeforeReset(chain)
  const resetMs = before === null ? Number.POSITIVE_INFINITY : (since[0] as TipAt).atMs
  const isReplaced = chain.reset?.kind === 'replaced'
  /** The maximum delay of a block to any node. */
  const latestMs = Math.max(delayMsMax, ...chain.nodes.map(({ delayMs }) => delayMs))
  let leftMs: number | null = null

  const givenUpMs = (ms: number) => (leftMs !== null && leftMs < ms ? leftMs : null)
  const standing = (ms: number) => heads.filter(({ atMs }) => atMs >= (givenUpMs(ms) ?? 0))

  const trueTipsWithin: HeadWatch['tipsWithin'] = (fromMs, toMs, marginMs) =>
    within(givenUpMs(fromMs) === null ? chain.tips : since, fromMs - latestMs - marginMs, toMs)

  /** A head may be given up for a lower block only after `headResetMsOf` without a quorum for it. */
  function checkLowered(block: Tip): void {
    const old = heads.at(-1)
    // Looks in flight at a reload end under the old quorum, next to new ones.
    if (old === undefined || reloadedMs > 0 || !isBelow(old.tip, block)) return
    if (old.atMs <= distrustedMs) return
    const afterMs = now() - old.atMs
    if (afterMs < headResetMsOf(chain.id))
      report('S9', `head ${old.tip.number} was given up for ${block.number} after ${afterMs} ms`)
  }

  /** A head that nodes hold back which stand still. */
  function checkBesideStanding(number: number, startMs: number, what: string): void {
    const reached = reachedBesideStanding(chain, startMs)
    if (number < reached)
      report(
        'S9',
        `${what} ${number}, though more than half of all weight had ${reached} long before the call`,
      )
  }

  /** A head is at most as old as promised, in wall time, however long nobody asked. */
  function checkAge(number: number, startMs: number, what: string): void {
    if (chain.theme === 'standing') checkBesideStanding(number, startMs, what)
    const isBounded = chain.theme !== 'standing' && soundness.isSound && !soundness.isTouched
    if (!isBounded || reloadedMs > 0) return
    const ageMs = servedAgeMsMax(chain)
    const reached = reachedAt(chain, bars, startMs - ageMs)
    if (reached !== null && number < reached)
      report('S9', `${what} ${number}, though a quorum had ${reached} ${ageMs} ms before the call`)
  }

  return {
    head({ number, hash }) {
      const block = blockOf(hash)
      if (block === null || block.number !== number) {
        // Poisoned nodes that are a quorum may also lie about the block that they are asked for by its number.
        if (soundness.isSound || chain.theme !== 'poisoned')
          report('S9', `head ${number} ${hash} is not a block`)
        return
      }
      checkLowered(block)
      heads.push({ atMs: now(), order: tick(), tip: block })
      if (!soundness.isSound) return
      if (isForged(block.branch)) report('S9', `head ${number} is forged`)
      else if (!chain.tips.some(({ atMs, tip }) => atMs <= now() && isTipOf(tip, block)))
        report('S9', `head ${number} on branch ${block.branch} was never the chain's`)
    },
    reorg() {
      reorgMs.push(now())
      if (now() >= resetMs) leftMs ??= now()
      if (soundness.isSound && !chain.hasReorg) report('S9', 'a reorg was reported, but the chain had none')
    },
    reloaded() {
      reloadedMs = now()
      Object.assign(highest, { number: 0, endMs: Number.NEGATIVE_INFINITY })
    },
    distrusted() {
      distrustedMs = now()
      Object.assign(highest, { number: 0, endMs: Number.NEGATIVE_INFINITY })
    },
    served(number, startMs) {
      if (!soundness.isSound) {
        if (chain.theme === 'standing') checkBesideStanding(number, startMs, 'head')
        return
      }
      const highestTrue = chain.tips.reduce(
        (most, { atMs, tip }) => (atMs <= now() ? Math.max(most, tip.number) : most),
        0,
      )
      if (number > highestTrue) report('S9', `head ${number} above the chain's ${highestTrue}`)
      if (!chain.hasReorg && startMs > highest.endMs && number < highest.number)
        report('S9', `head ${number} after ${highest.number} was reported`)
      const { dueMs } = chain.reset ?? { dueMs: null }
      const top = Math.max(...since.map(({ atMs, tip }) => (atMs <= now() ? tip.number : 0)))
      if (dueMs !== null && startMs > dueMs && number > top)
        report('S9', `head ${number} of a chain that was reset at ${resetMs}; it has ${top} blocks now`)
      checkAge(number, startMs, 'head')
      // A head may be served up to four times headMaxAgeMs while a poll runs. With honest nodes nothing else delays it.
      const oldest = tipAt(chain, startMs - headAgeMsMax(chain) - delayMsMax)
      if (soundness.isCalm && number < oldest.number)
        report('S9', `head ${number} is behind ${oldest.number}, all nodes honest`)
      // Calls from before a reload are answered under the old quorum.
      if (number <= highest.number || startMs <= Math.max(reloadedMs, distrustedMs)) return
      highest.number = number
      highest.endMs = now()
    },
    // A tag may fall back to the previous block.
    pinned: (number, startMs) => checkAge(number + 1, startMs, 'the block below'),
    hasDistrustSince: (ms) => distrustedMs >= ms,
    hasReorgSince: (ms) => reorgMs.some((at) => at >= ms),
    // A rewound chain keeps its lower blocks, and cache entries by block hash.
    reported: (startMs) => (isReplaced ? standing(startMs) : heads).map(({ tip }) => tip),
    givenUpMs,
    final(fromMs, toMs) {
      const final = tipAt(chain, toMs).number - finalDepth
      if (before === null || toMs < resetMs) return final
      const finalBefore = before.number - finalDepth
      if (givenUpMs(fromMs) === null) return Math.max(final, finalBefore)
      // Blocks below the rewind are unchanged.
      return isReplaced ? final : Math.max(final, Math.min(finalBefore, (since[0] as TipAt).tip.number - 1))
    },
    orderOfHeads(fromMs, toMs) {
      const tips = within(heads, fromMs, toMs)
      const head = heads.find(({ tip }) => tips.some((one) => isSame(one, tip)))
      return head?.order ?? 0
    },
    headSinceMs(ms) {
      let since: ReportedHead | null = null
      for (const head of heads) {
        // A head of the same millisecond may be later than the call.
        if (head.atMs >= ms) break
        if (since === null || !isSame(since.tip, head.tip)) since = head
      }
      return since?.atMs ?? Number.NEGATIVE_INFINITY
    },
    tipsWithin: (fromMs, toMs, marginMs) => [
      ...within(standing(fromMs), fromMs, toMs),
      ...trueTipsWithin(fromMs, toMs, marginMs),
    ],
    trueTipsWithin,
  }
}

/** Tips that were current at some moment of the span. */
function within(tips: readonly { atMs: number; tip: Tip }[], fromMs: number, toMs: number): readonly Tip[] {
  return tips
    .filter(
      ({ atMs }, index) => atMs <= toMs && (tips[index + 1]?.atMs ?? Number.POSITIVE_INFINITY) >= fromMs,
    )
    .map(({ tip }) => tip)
}

function isSame(one: Tip, other: Tip): boolean {
  return one.branch === other.branch && one.number === other.number
}

function isTipOf(tip: Tip, block: Tip): boolean {
  return tip.branch === block.branch && block.number <= tip.number
}
