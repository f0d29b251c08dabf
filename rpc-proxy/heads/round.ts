import type { Signal } from '../abort.ts'
import type { Clock } from '../clock.ts'
import type { MemberIndex, NodeIndex } from '../indexes.ts'
import { Race, type Timing } from '../race/race.ts'
import type { Header } from './views.ts'

/** The asks of one look. */
export interface Round {
  /** Asks one node for one header. */
  readonly look: (node: NodeIndex, block: string) => HeaderAsk
  /** The look is over: stalled asks are aborted now, the others when they stall. */
  readonly end: (agreed: boolean) => void
}

/** One ask of one node. A stall lets the look go on; it neither cancels nor discounts what comes after it. */
export interface HeaderAsk {
  /** Null when it fails or has none; by the deadline at last. */
  readonly header: Promise<Header | null>
  /** It has replied or stalled. */
  readonly waited: Promise<void>
}

interface RoundOptions {
  readonly deadlineMs: number
  readonly stallMsOf: (node: NodeIndex) => number
  /** Gives up one ask each; ours are in it while they are under way. */
  readonly open: Set<() => void>
}

interface RoundPorts {
  readonly clock: Clock
  readonly look: (node: NodeIndex, block: string, signal: Signal) => Promise<Header | null>
  readonly onSilent: (node: NodeIndex, signal: Signal) => void
}

const onlyMember = 0 as MemberIndex

/** Each ask is waited for until its stall, and ends by the deadline. */
export function createRound(options: RoundOptions, ports: RoundPorts): Round {
  const stalled = new Set<() => void>()
  let ended: { readonly agreed: boolean } | null = null

  /** One ask is a race of its own: it may be given up while others go on. */
  function look(node: NodeIndex, block: string): HeaderAsk {
    let settle: (found: Header | null) => void = () => {}
    const header = new Promise<Header | null>((resolve) => {
      settle = resolve
    })
    let goOn: () => void = () => {}
    const waited = new Promise<void>((resolve) => {
      goOn = resolve
    })
    let sentWith: Signal | null = null
    const race = new Race<Header | null, Timing>(ports.clock, {
      send(_, signal, onSent) {
        sentWith = signal
        onSent()
        return ports.look(node, block, signal)
      },
      onReply: (_, found) => finish(found),
      onStall() {
        stalled.add(giveUp)
        goOn()
        if (ended !== null) giveUp()
      },
      onHeld: () => {},
    })

    function giveUp(): void {
      const isSilent = stalled.has(giveUp) && ended?.agreed === true
      finish(null)
      if (isSilent && sentWith !== null) ports.onSilent(node, sentWith)
    }

    function finish(found: Header | null): void {
      race.end()
      options.open.delete(giveUp)
      stalled.delete(giveUp)
      settle(found)
      goOn()
    }

    options.open.add(giveUp)
    race.after(options.deadlineMs, giveUp)
    race.start(
      onlyMember,
      { startMs: ports.clock.now(), endMs: null, stalledMs: null },
      options.stallMsOf(node),
    )
    return { header, waited }
  }

  return {
    look,
    end(agreed) {
      ended = { agreed }
      for (const giveUp of stalled) giveUp()
    },
  }
}
