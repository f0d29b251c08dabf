import type { UpstreamRequestRecord } from '../events/evidence-types.ts'
import { Abort, gone, type Signal } from '../runtime/abort.ts'
import type { Cancel, Clock } from '../runtime/clock.ts'
import type { MemberIndex } from '../runtime/indexes.ts'
import { errorFault, type Reply } from '../wire/types.ts'

/**
 * `queued`: waits in our own queue for a slot at the node. `queued-too-long`: has done so for as long as a stall. `awaited`: its node has it.
 * `stalled`: its node has had it for as long as a stall.
 */
export type UpstreamState = 'queued' | 'queued-too-long' | 'awaited' | 'stalled' | 'ended'

/** How a request ended that was given up. */
export interface GivenUp {
  /** Its stall counts against the node. */
  readonly isBlamed: boolean
  /** The deadline ended it. */
  readonly isLate: boolean
}

/** One upstream request of a round, and the signal that aborts it: one object, since each call has several. */
export abstract class RoundRequest extends Abort {
  readonly member: MemberIndex
  readonly stallMs: number
  readonly record: UpstreamRequestRecord
  // These are changed by the round alone.
  state: UpstreamState = 'queued'
  /** How often it has been sent. */
  sends = 0
  /** When its stall passes, or its wait in our queue has lasted for one more stall; epoch milliseconds. */
  dueMs = Number.POSITIVE_INFINITY
  round!: {
    left(request: RoundRequest): void
    replied(request: RoundRequest, reply: Reply): void
  }

  constructor(member: MemberIndex, stallMs: number, record: UpstreamRequestRecord) {
    super()
    this.member = member
    this.stallMs = stallMs
    this.record = record
  }

  /** Sends it, or sends it again. `left` is called, then `replied`, which does not happen before this returns. */
  abstract send(): void
  abstract stall(): void
  /** Reports what it brought, once the round has judged it. */
  abstract end(reply: Reply): void
  /** Reports that it was given up. */
  abstract giveUp(how: GivenUp): void

  /** It has left our queue, and the node's time begins. */
  left(): void {
    this.round.left(this)
  }

  replied(reply: Reply): void {
    this.round.replied(this, reply)
  }
}

/** Which requests in flight are still listened to after the verdict. */
export type AfterVerdict =
  | 'nothing'
  /** All, until each has stalled. */
  | 'until-stalled'
  /** All, while one of them has neither replied nor stalled. */
  | 'while-awaited'
  | 'everything'

export type Decision<Verdict> =
  | { readonly kind: 'wait' }
  | { readonly kind: 'start'; readonly members: readonly MemberIndex[] }
  | { readonly kind: 'verdict'; readonly verdict: Verdict; readonly listenTo: AfterVerdict }

/** What became of a reply: taken in, to be sent once more, or to be taken when it has been read. */
export type AcceptResult = 'done' | { readonly againMs: number } | { readonly when: Promise<void> }

export interface RoundOptions {
  readonly deadlineMs: number
  readonly clock: Clock
  /** The departure of every caller; null where the round does not depend on them. */
  readonly signal: Signal | null
}

/** Waits until none of these members is in flight any more, or the round has ended. */
interface Waiter {
  readonly members: readonly MemberIndex[] | null
  readonly resolve: () => void
}

/** Sums of times are rounded: what is due within this many milliseconds is due. */
const roundingMs = 0.01

/**
 * One round: sends to members as `decide` says, notices stalls, collects replies, and gives up what is in flight at the end. Time
 * in our own queue is no stall of a node. Leaves no timer behind; there is one at a time, since nearly all are cancelled.
 */
export abstract class Round<Verdict, Request extends RoundRequest = RoundRequest> {
  /** Rejects only when the signal fires, with `gone`. */
  readonly verdict: Promise<Verdict>
  /** In the order in which they were started. */
  requests: readonly Request[] = none
  /** The deadline has passed, or the round is being closed: there must be a verdict. */
  protected isLate = false
  readonly clock: Clock
  readonly #signal: Signal | null
  #resolve!: (verdict: Verdict) => void
  #reject!: (reason: unknown) => void
  #endMs: number
  /** Requests that are sent again after a while. */
  #later: readonly { readonly dueMs: number; readonly request: Request }[] = none
  /** When the timer is due; nothing is due before the first step has been done. */
  #timerMs = Number.NEGATIVE_INFINITY
  #cancelTimer: Cancel | null = null
  #isExpired = false
  /** Null before the verdict. */
  #listenTo: AfterVerdict | null = null
  /** What is listened to after the verdict, where that was set before. */
  #listenToAfter: AfterVerdict | null = null
  #isOver = false
  #waiters: readonly Waiter[] = none

  constructor({ clock, signal, deadlineMs }: RoundOptions) {
    this.clock = clock
    this.#signal = signal
    this.#endMs = clock.now() + deadlineMs
    this.verdict = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  protected abstract start(member: MemberIndex): Request
  /** Counts and reports a reply. */
  protected abstract accept(request: Request, reply: Reply): AcceptResult
  /** Called after the start, each reply, each stall and at the deadline, until there is a verdict. */
  protected abstract decide(): Decision<Verdict>
  /** Whether the stall of a request that is given up counts against its node. */
  protected abstract countsAsFault(request: Request): boolean
  /** Called before others hear of the verdict; null where every caller has left. */
  protected onVerdict(_verdict: Verdict | null): void {}

  /** One whose deadline has passed begins late: it sends nothing. */
  begin(): this {
    if (this.#signal?.aborted) {
      this.#leave()
      return this
    }
    this.#signal?.addEventListener('abort', this.#leave, { once: true })
    this.isLate = this.#endMs <= this.clock.now()
    this.#step()
    this.#setTimer()
    return this
  }

  /** Resolves when nothing is in flight any more, or none of these members. */
  ended(members: readonly MemberIndex[] | null = null): Promise<void> {
    return new Promise((resolve) => {
      this.#waiters = [...this.#waiters, { members, resolve }]
      this.#resolveWaiters()
    })
  }

  /** Listens to these only, from the verdict on; asks for one where there is none yet. */
  listenTo(listenTo: AfterVerdict): void {
    this.#listenToAfter = listenTo
    if (this.#listenTo !== null) this.#listenTo = listenTo
    this.#step()
  }

  /** Decides again: something other than a reply has changed. */
  protected recheck(): void {
    this.#step()
  }

  /** Ends it as its deadline would. */
  close(): void {
    if (this.#isOver) return
    this.isLate = true
    if (this.#listenTo === null) this.#step()
    this.listenTo('nothing')
  }

  readonly #leave = (): void => {
    if (this.#listenTo !== null) return
    this.#listenTo = 'nothing'
    this.#giveUp()
    this.onVerdict(null)
    this.#reject(gone)
  }

  /** The only place where anything is decided. */
  #step(): void {
    if (this.#listenTo !== null) {
      this.#giveUp()
      return
    }
    for (;;) {
      const decision = this.decide()
      if (decision.kind === 'wait') return
      if (decision.kind === 'verdict') {
        this.#signal?.removeEventListener('abort', this.#leave)
        this.#listenTo = this.#listenToAfter ?? decision.listenTo
        this.#giveUp()
        this.onVerdict(decision.verdict)
        this.#resolve(decision.verdict)
        return
      }
      if (!this.isLate) for (const member of decision.members) this.#start(member)
    }
  }

  #start(member: MemberIndex): void {
    const request = this.start(member)
    request.round = this
    request.dueMs = this.clock.now() + request.stallMs
    // A copy: a list that grows makes room for 17, and most rounds have two requests.
    this.requests = this.requests.concat(request)
    this.#send(request)
    this.#wakeAt(request.dueMs)
  }

  /** Whatever throws on the way to a reply is a fault of its node. */
  #send(request: Request): void {
    request.sends++
    try {
      request.send()
    } catch {
      queueMicrotask(() => this.replied(request, errorFault))
    }
  }

  left(request: Request): void {
    // One that is sent again has left the queue before.
    if (request.state !== 'queued' && request.state !== 'queued-too-long') return
    request.state = 'awaited'
    request.record.startMs = this.clock.now()
    request.dueMs = request.record.startMs + request.stallMs
    this.#wakeAt(request.dueMs)
  }

  replied(request: Request, reply: Reply): void {
    if (request.state === 'ended') return
    const accepted = this.#accept(request, reply)
    if (accepted === 'done') {
      this.#close(request)
      this.#step()
    } else if ('againMs' in accepted) {
      const dueMs = this.clock.now() + accepted.againMs
      this.#later = [...this.#later, { dueMs, request }]
      this.#wakeAt(dueMs)
    } else
      accepted.when.then(
        () => this.replied(request, reply),
        () => this.replied(request, errorFault),
      )
  }

  /** A reply at which reading throws is a fault of its node: what one node sends ends no round, and no process. */
  #accept(request: Request, reply: Reply): AcceptResult {
    try {
      return this.accept(request, reply)
    } catch {
      return this.accept(request, errorFault)
    }
  }

  #close(request: Request): void {
    request.state = 'ended'
    request.dueMs = Number.POSITIVE_INFINITY
    request.record.endMs = this.clock.now()
  }

  /** After the verdict: gives up what is not listened to any more. */
  #giveUp(): void {
    const inFlight = this.requests.every(isEnded) ? none : this.requests.filter((each) => !isEnded(each))
    const dropped = inFlight.filter((request) => !this.#isStillNeeded(request, inFlight))
    this.#isOver ||= dropped.length === inFlight.length
    if (this.#isOver) this.#cancelTimer?.()
    if (dropped.length > 0) this.#drop(dropped)
    this.#resolveWaiters()
  }

  #drop(dropped: readonly Request[]): void {
    const stalled = dropped.filter(({ state }) => state === 'stalled')
    for (const request of dropped) this.#close(request)
    for (const request of dropped) request.abort()
    for (const request of dropped)
      request.giveUp({
        isBlamed: stalled.includes(request) && this.countsAsFault(request),
        isLate: this.#isExpired,
      })
  }

  #resolveWaiters(): void {
    if (this.#waiters.length === 0) return
    const inFlight = this.requests.filter((each) => !isEnded(each))
    const isWaiting = ({ members }: Waiter) =>
      members === null ? !this.#isOver : inFlight.some(({ member }) => members.includes(member))
    const waiters = this.#waiters
    this.#waiters = waiters.filter(isWaiting)
    for (const waiter of waiters) if (!isWaiting(waiter)) waiter.resolve()
  }

  #isStillNeeded({ state }: Request, inFlight: readonly Request[]): boolean {
    switch (this.#listenTo) {
      case 'everything':
        return true
      case 'until-stalled':
        return state !== 'stalled'
      case 'while-awaited':
        return inFlight.some((request) => request.state === 'awaited')
      default:
        return false
    }
  }

  /** For what is due next. */
  #setTimer(): void {
    let nextMs = this.#endMs
    for (const { dueMs } of this.requests) if (dueMs < nextMs) nextMs = dueMs
    for (const { dueMs } of this.#later) if (dueMs < nextMs) nextMs = dueMs
    this.#timerMs = Number.POSITIVE_INFINITY
    this.#wakeAt(nextMs)
  }

  #wakeAt(dueMs: number): void {
    if (this.#isOver || dueMs >= this.#timerMs) return
    this.#cancelTimer?.()
    this.#timerMs = dueMs
    this.#cancelTimer = this.clock.after(Math.max(0, dueMs - this.clock.now()), this.#wake)
  }

  readonly #wake = (): void => {
    this.#timerMs = Number.NEGATIVE_INFINITY
    const nowMs = this.clock.now() + roundingMs
    for (const request of this.requests) if (request.dueMs <= nowMs) this.#due(request)
    if (this.#endMs <= nowMs && !this.#isOver) {
      this.#endMs = Number.POSITIVE_INFINITY
      this.#isExpired = true
      this.close()
    }
    const due = this.#later.filter(({ dueMs }) => dueMs <= nowMs)
    this.#later = this.#later.filter(({ dueMs }) => dueMs > nowMs)
    for (const { request } of due) if (!this.#isOver) this.#send(request)
    this.#setTimer()
  }

  #due(request: Request): void {
    if (request.state === 'ended') return
    if (request.state === 'awaited') {
      request.state = 'stalled'
      request.dueMs = Number.POSITIVE_INFINITY
      request.record.stalledMs = this.clock.now()
      request.stall()
    } else {
      request.state = 'queued-too-long'
      request.dueMs += request.stallMs
    }
    this.#step()
  }
}

const none: readonly never[] = []
const isEnded = ({ state }: { readonly state: UpstreamState }): boolean => state === 'ended'
