import type { Clock } from '../clock.ts'
import type { Header } from './views.ts'

/** The asks of one look. */
export interface Round {
  /** Asks one voter for one header. */
  readonly look: (voter: number, block: string) => HeaderAsk
  /** The look is over: stalled asks are aborted now, the others when they stall. */
  readonly end: (agreed: boolean) => void
}

/** One ask of one voter. A stall lets the look go on; it neither cancels nor discounts what comes after it. */
export interface HeaderAsk {
  /** Null when it fails or has none; by the deadline at last. */
  readonly header: Promise<Header | null>
  /** It has replied or stalled. */
  readonly waited: Promise<void>
}

interface RoundOptions {
  readonly deadlineMs: number
  readonly stallMsOf: (voter: number) => number
  /** Gives up one ask each; ours are in it while they are under way. */
  readonly open: Set<() => void>
}

interface RoundPorts {
  readonly clock: Clock
  readonly look: (voter: number, block: string, signal: AbortSignal) => Promise<Header | null>
  readonly onSilent: (voter: number, signal: AbortSignal) => void
}

/** Each ask is waited for until its stall, and ends by the deadline. */
export function createRound(
  { deadlineMs, stallMsOf, open }: RoundOptions,
  { clock, look, onSilent }: RoundPorts,
): Round {
  const stalled = new Set<() => void>()
  let ended: { readonly agreed: boolean } | null = null

  return {
    look(voter, block) {
      const controller = new AbortController()
      const giveUp = () => controller.abort()
      open.add(giveUp)
      const cancelDeadline = clock.after(deadlineMs, giveUp)
      let go: () => void = () => {}
      const waited = new Promise<void>((resolve) => {
        go = resolve
      })
      const cancelStall = clock.after(stallMsOf(voter), () => {
        stalled.add(giveUp)
        go()
        if (ended !== null) giveUp()
      })
      const header = look(voter, block, controller.signal).then((found) => {
        cancelStall()
        cancelDeadline()
        open.delete(giveUp)
        if (stalled.delete(giveUp) && controller.signal.aborted && ended?.agreed === true)
          onSilent(voter, controller.signal)
        go()
        return found
      })
      return { header, waited }
    },
    end(agreed) {
      ended = { agreed }
      for (const giveUp of stalled) giveUp()
    },
  }
}
