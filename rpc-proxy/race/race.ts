import type { Cancel, Clock } from '../clock.ts'

/** `queued`: waits in our own queue for a place at the node. `held`: has done so for as long as a stall. */
export type AskState = 'queued' | 'held' | 'awaited' | 'stalled' | 'ended'

/** When an ask left our queue, ended and stalled, epoch milliseconds. */
export interface Timing {
  startMs: number
  endMs: number | null
  stalledMs: number | null
}

/** One node asked. */
export interface Ask<Record extends Timing = Timing> {
  /** The node's place among those of the race. */
  readonly member: number
  readonly stallMs: number
  readonly record: Record
  /** These two are changed by the race alone. */
  state: AskState
  /** How often it has been sent. */
  sends: number
}

/** What happens in a race. The owner may start more asks or end the race at each event. */
export interface RaceEvents<Reply, Record extends Timing> {
  /** Sends to one node; never rejects. `onSent`: the ask has left our queue, and the node's time begins. */
  readonly send: (member: number, signal: AbortSignal, onSent: () => void) => Promise<Reply>
  /** A reply came while the ask was open; the ask stays open until `close`. */
  readonly onReply: (ask: Ask<Record>, reply: Reply) => void
  /** Its node has had the ask for as long as its stall. */
  readonly onStall: (ask: Ask<Record>) => void
  /** It has waited in our queue for as long as its stall, once more. */
  readonly onHeld: (ask: Ask<Record>) => void
}

/** Why asks are given up. Made once: an error of its own for each would cost more than the asking. */
const over = new Error('the race is over')

/**
 * Several nodes asked at once: sends, notices who stalls, hears replies, and gives up what is in flight at the end. It decides
 * nothing. No event comes after the end, and no timer is left.
 */
export class Race<Reply, Record extends Timing> {
  readonly #clock: Clock
  readonly #events: RaceEvents<Reply, Record>
  readonly #controller = new AbortController()
  readonly #timers: Cancel[] = []
  /** In the order in which they were started. */
  readonly asks: Ask<Record>[] = []

  constructor(clock: Clock, events: RaceEvents<Reply, Record>) {
    this.#clock = clock
    this.#events = events
  }

  start(member: number, record: Record, stallMs: number): Ask<Record> {
    const ask: Ask<Record> = { member, stallMs, record, state: 'queued', sends: 0 }
    this.asks.push(ask)
    this.send(ask)
    this.#watchQueue(ask)
    return ask
  }

  /** Sends an ask, or sends it again. */
  send(ask: Ask<Record>): void {
    ask.sends++
    void this.#events
      .send(ask.member, this.#controller.signal, () => this.#sent(ask))
      .then((reply) => {
        if (ask.state !== 'ended') this.#events.onReply(ask, reply)
      })
  }

  /** Ends one ask. */
  close(ask: Ask<Record>): void {
    ask.state = 'ended'
    ask.record.endMs = this.#clock.now()
  }

  /** Runs `run` after so many milliseconds, unless the race has ended. */
  after(ms: number, run: () => void): void {
    this.#timers.push(this.#clock.after(ms, run))
  }

  /** Gives up what is in flight, and returns it. */
  end(): readonly Ask<Record>[] {
    for (const cancel of this.#timers) cancel()
    const inFlight = this.asks.filter(({ state }) => state !== 'ended')
    for (const ask of inFlight) this.close(ask)
    if (inFlight.length > 0) this.#controller.abort(over)
    return inFlight
  }

  #watchQueue(ask: Ask<Record>): void {
    if (!isQueued(ask)) return
    this.after(ask.stallMs, () => {
      if (!isQueued(ask)) return
      ask.state = 'held'
      this.#watchQueue(ask)
      this.#events.onHeld(ask)
    })
  }

  #sent(ask: Ask<Record>): void {
    // One that is sent again has left the queue before.
    if (!isQueued(ask)) return
    ask.state = 'awaited'
    ask.record.startMs = this.#clock.now()
    this.after(ask.stallMs, () => {
      if (ask.state !== 'awaited') return
      ask.state = 'stalled'
      ask.record.stalledMs = this.#clock.now()
      this.#events.onStall(ask)
    })
  }
}

function isQueued({ state }: Ask): boolean {
  return state === 'queued' || state === 'held'
}
