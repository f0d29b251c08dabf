import type { Report } from './answered.ts'
import type { Soundness } from './soundness.ts'
import { blockOf, isForged, type Tip } from './universe.ts'
import { delayMsMax, tipAt, type WorldChain } from './world.ts'

/** What the engine tells of one chain's head, held against the chain (S9). */
export interface HeadWatch {
  readonly head: (block: { readonly number: number; readonly hash: string }) => void
  readonly reorg: () => void
  /** The chain begins anew under another quorum, which may not show yet what the last one did. */
  readonly reloaded: () => void
  /** A caller who came at that time was told this head. */
  readonly answered: (number: number, startMs: number) => void
  readonly hasReorgSince: (ms: number) => boolean
  /** All heads told so far, oldest first. */
  readonly told: () => readonly Tip[]
  /** When the heads of a span were first told, the earliest, in the network's count: what hangs on one is true since then. */
  readonly orderOfHeads: (fromMs: number, toMs: number) => number
  /** Since when the head of that time has been the head, epoch milliseconds. */
  readonly headSinceMs: (ms: number) => number
  /** Blocks under which an answer may be true: heads of that span, and what the nodes themselves could see in it. */
  readonly tipsWithin: (fromMs: number, toMs: number, marginMs: number) => readonly Tip[]
}

interface WatchPorts {
  readonly now: () => number
  readonly tick: () => number
  readonly soundness: Soundness
  readonly report: Report
}

interface Told {
  readonly atMs: number
  readonly order: number
  readonly tip: Tip
}

export function watchHeads(chain: WorldChain, { now, tick, soundness, report }: WatchPorts): HeadWatch {
  const heads: Told[] = []
  const reorgMs: number[] = []
  const highest = { number: 0, endMs: Number.NEGATIVE_INFINITY }
  let reloadedMs = Number.NEGATIVE_INFINITY

  return {
    head({ number, hash }) {
      const block = blockOf(hash)
      if (block === null || block.number !== number) {
        report('S9', `head ${number} ${hash} is no block at all`)
        return
      }
      heads.push({ atMs: now(), order: tick(), tip: block })
      if (!soundness.isSound) return
      if (isForged(block.branch)) report('S9', `head ${number} is forged`)
      else if (!chain.tips.some(({ atMs, tip }) => atMs <= now() && isTipOf(tip, block)))
        report('S9', `head ${number} on branch ${block.branch} was never the chain's`)
    },
    reorg() {
      reorgMs.push(now())
      if (soundness.isSound && !chain.hasReorg) report('S9', 'a reorg was told, and the chain had none')
    },
    reloaded() {
      reloadedMs = now()
      Object.assign(highest, { number: 0, endMs: Number.NEGATIVE_INFINITY })
    },
    answered(number, startMs) {
      if (!soundness.isSound) return
      const highestTrue = chain.tips.reduce(
        (most, { atMs, tip }) => (atMs <= now() ? Math.max(most, tip.number) : most),
        0,
      )
      if (number > highestTrue) report('S9', `head ${number} above the chain's ${highestTrue}`)
      if (!chain.hasReorg && startMs > highest.endMs && number < highest.number)
        report('S9', `head ${number} after ${highest.number} had been told`)
      // A head of at most four ages may be served while a look is under way; among honest nodes nothing else holds it back.
      const oldest = tipAt(chain, startMs - Math.max(4 * chain.headMaxAgeMs, 4000) - delayMsMax)
      if (soundness.isCalm && number < oldest.number)
        report('S9', `head ${number} is behind ${oldest.number}, all nodes honest`)
      // Whoever came before a reload is answered under the quorum of then.
      if (number <= highest.number || startMs <= reloadedMs) return
      highest.number = number
      highest.endMs = now()
    },
    hasReorgSince: (ms) => reorgMs.some((at) => at >= ms),
    told: () => heads.map(({ tip }) => tip),
    orderOfHeads(fromMs, toMs) {
      const tips = within(heads, fromMs, toMs)
      return heads.find(({ tip }) => tips.some((one) => isSame(one, tip)))?.order ?? 0
    },
    headSinceMs(ms) {
      let since: Told | null = null
      for (const head of heads) {
        // One of the same moment may have come after the call.
        if (head.atMs >= ms) break
        if (since === null || !isSame(since.tip, head.tip)) since = head
      }
      return since?.atMs ?? Number.NEGATIVE_INFINITY
    },
    tipsWithin: (fromMs, toMs, marginMs) => [
      ...within(heads, fromMs, toMs),
      ...within(chain.tips, fromMs - delayMsMax - marginMs, toMs),
    ],
  }
}

/** Those that stood at some moment of the span. */
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
