import { Abort, type Signal } from '../abort.ts'
import type { Cancel, Clock } from '../clock.ts'
import type { MemberIndex } from '../indexes.ts'

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
  readonly member: MemberIndex
  readonly stallMs: number
  readonly record: Record
  /** These three are changed by the race alone. */
  state: AskState
  /** How often it has been sent. */
  sends: number
  /** When its stall passes, or its wait in our queue has lasted for one more stall; epoch milliseconds. */
  dueMs: number
}

/** What happens in a race. The owner may start more asks or end the race at each event. */
export interface RaceEvents<Reply, Record extends Timing> {
  /** Sends to one node; never rejects. `onSent`: the ask has left our queue, and the node's time begins. */
  readonly send: (member: MemberIndex, signal: Signal, onSent: () => void) => Promise<Reply>
  /** A reply came while the ask was open; the ask stays open until `close`. */
  readonly onReply: (ask: Ask<Record>, reply: Reply) => void
  /** Its node has had the ask for as long as its stall. */
  readonly onStall: (ask: Ask<Record>) => void
  /** It has waited in our queue for as long as its stall, once more. */
  readonly onHeld: (ask: Ask<Record>) => void
}

interface Later {
  readonly dueMs: number
  readonly run: () => void
}

/** Sums of times are rounded: what is due within this many milliseconds is due. */
const roundingMs = 0.01

/**
 * Several nodes asked at once: sends, notices who stalls, hears replies, and gives up what is in flight at the end. It decides
 * nothing. No event comes after the end, and no timer is left. There is one timer at a time, since nearly all are cancelled.
 */
export class Race<Reply, Record extends Timing> {
  readonly #clock: Clock
  readonly #events: RaceEvents<Reply, Record>
  readonly #abort = new Abort()
  /** In the order in which they were started. */
  readonly asks: Ask<Record>[] = []
  #later: Later[] = []
  #timerMs = Number.POSITIVE_INFINITY
  #cancelTimer: Cancel | null = null
  #isOver = false

  constructor(clock: Clock, events: RaceEvents<Reply, Record>) {
    this.#clock = clock
    this.#events = events
  }

  start(member: MemberIndex, record: Record, stallMs: number): Ask<Record> {
    const dueMs = this.#clock.now() + stallMs
    const ask: Ask<Record> = { member, stallMs, record, state: 'queued', sends: 0, dueMs }
    this.asks.push(ask)
    this.send(ask)
    this.#wakeAt(ask.dueMs)
    return ask
  }

  /** Sends an ask, or sends it again. */
  send(ask: Ask<Record>): void {
    ask.sends++
    void this.#events
      .send(ask.member, this.#abort, () => this.#sent(ask))
      .then((reply) => {
        if (ask.state !== 'ended') this.#events.onReply(ask, reply)
      })
  }

  /** Ends one ask. */
  close(ask: Ask<Record>): void {
    ask.state = 'ended'
    ask.dueMs = Number.POSITIVE_INFINITY
    ask.record.endMs = this.#clock.now()
  }

  /** Runs `run` after so many milliseconds, unless the race has ended. */
  after(ms: number, run: () => void): void {
    const dueMs = this.#clock.now() + ms
    this.#later.push({ dueMs, run })
    this.#wakeAt(dueMs)
  }

  /** Gives up what is in flight, and returns it. */
  end(): readonly Ask<Record>[] {
    this.#isOver = true
    this.#cancelTimer?.()
    const inFlight = this.asks.filter(({ state }) => state !== 'ended')
    for (const ask of inFlight) this.close(ask)
    if (inFlight.length > 0) this.#abort.abort()
    return inFlight
  }

  #sent(ask: Ask<Record>): void {
    // One that is sent again has left the queue before.
    if (ask.state !== 'queued' && ask.state !== 'held') return
    ask.state = 'awaited'
    ask.record.startMs = this.#clock.now()
    ask.dueMs = ask.record.startMs + ask.stallMs
    this.#wakeAt(ask.dueMs)
  }

  #wakeAt(dueMs: number): void {
    if (this.#isOver || dueMs >= this.#timerMs) return
    this.#cancelTimer?.()
    this.#timerMs = dueMs
    this.#cancelTimer = this.#clock.after(Math.max(0, dueMs - this.#clock.now()), this.#wake)
  }

  readonly #wake = (): void => {
    this.#timerMs = Number.POSITIVE_INFINITY
    const nowMs = this.#clock.now() + roundingMs
    for (const ask of [...this.asks]) if (ask.dueMs <= nowMs) this.#due(ask)
    const due = this.#later.filter(({ dueMs }) => dueMs <= nowMs)
    this.#later = this.#later.filter(({ dueMs }) => dueMs > nowMs)
    for (const { run } of due) if (!this.#isOver) run()
    for (const { dueMs } of this.asks) this.#wakeAt(dueMs)
    for (const { dueMs } of this.#later) this.#wakeAt(dueMs)
  }

  #due(ask: Ask<Record>): void {
    if (ask.state === 'awaited') {
      ask.state = 'stalled'
      ask.dueMs = Number.POSITIVE_INFINITY
      ask.record.stalledMs = this.#clock.now()
      this.#events.onStall(ask)
    } else if (ask.state !== 'ended') {
      ask.state = 'held'
      ask.dueMs += ask.stallMs
      this.#events.onHeld(ask)
    }
  }
}
