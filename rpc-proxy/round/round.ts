import { gone, type Signal } from '../runtime/abort.ts'
import type { Cancel, Clock } from '../runtime/clock.ts'
import type { MemberIndex } from '../runtime/indexes.ts'
import type { RoundRequest } from './round-request.ts'
import type { AfterVerdict, RoundRules, TakeResult } from './round-rules.ts'

interface RoundOptions {
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

interface Later {
  readonly dueMs: number
  readonly run: () => void
}

/** A round under way. */
export interface Round<Verdict> {
  /** Rejects only when the signal fires, with `gone`. */
  readonly verdict: Promise<Verdict>
  /** Resolves when nothing is in flight any more, or none of these members. */
  readonly ended: (members?: readonly MemberIndex[]) => Promise<void>
  /** Listens to these only, from the verdict on; asks for one where there is none yet. */
  readonly keep: (keep: AfterVerdict) => void
  /** Ends it as its deadline would. */
  readonly close: () => void
}

/** Sums of times are rounded: what is due within this many milliseconds is due. */
const roundingMs = 0.01

/**
 * One round: sends to members as `decide` says, notices stalls, collects replies, and gives up what is in flight at the end. Time
 * in our own queue is no stall of a node. Leaves no timer behind; there is one at a time, since nearly all are cancelled.
 */
export function runRound<Reply, Request extends RoundRequest<Reply>, Verdict>(
  rules: RoundRules<Reply, Request, Verdict>,
  options: RoundOptions,
): Round<Verdict> {
  return new RunningRound(rules, options).begin()
}

class RunningRound<Reply, Request extends RoundRequest<Reply>, Verdict> implements Round<Verdict> {
  readonly verdict: Promise<Verdict>
  readonly #rules: RoundRules<Reply, Request, Verdict>
  readonly #options: RoundOptions
  readonly #requests: Request[] = []
  #settle!: { readonly resolve: (verdict: Verdict) => void; readonly reject: (reason: unknown) => void }
  #later: Later[] = []
  #timerMs = Number.POSITIVE_INFINITY
  #cancelTimer: Cancel | null = null
  #isLate = false
  #isExpired = false
  /** Null before the verdict. */
  #keep: AfterVerdict | null = null
  /** What is kept after the verdict, where it was said before. */
  #keepAfter: AfterVerdict | null = null
  #isOver = false
  #waiters: Waiter[] = []

  constructor(rules: RoundRules<Reply, Request, Verdict>, options: RoundOptions) {
    this.#rules = rules
    this.#options = options
    this.verdict = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
  }

  begin(): this {
    const { signal, deadlineMs } = this.#options
    if (signal?.aborted) {
      this.#leave()
      return this
    }
    signal?.addEventListener('abort', this.#leave, { once: true })
    this.#after(deadlineMs, () => {
      this.#isExpired = true
      this.close()
    })
    this.#step()
    return this
  }

  ended(members: readonly MemberIndex[] | null = null): Promise<void> {
    return new Promise((resolve) => {
      this.#waiters = [...this.#waiters, { members, resolve }]
      this.#tellWaiters()
    })
  }

  keep(keep: AfterVerdict): void {
    this.#keepAfter = keep
    if (this.#keep !== null) this.#keep = keep
    this.#step()
  }

  close(): void {
    if (this.#isOver) return
    this.#isLate = true
    if (this.#keep === null) this.#step()
    this.keep('nothing')
  }

  readonly #leave = (): void => {
    if (this.#keep !== null) return
    this.#keep = 'nothing'
    this.#giveUp()
    this.#settle.reject(gone)
  }

  /** The only place where anything is decided. */
  #step(): void {
    if (this.#keep !== null) {
      this.#giveUp()
      return
    }
    for (;;) {
      const decision = this.#rules.decide({ requests: this.#requests, isLate: this.#isLate })
      if (decision.kind === 'wait') return
      if (decision.kind === 'verdict') {
        this.#options.signal?.removeEventListener('abort', this.#leave)
        this.#keep = this.#keepAfter ?? decision.keep
        this.#giveUp()
        this.#settle.resolve(decision.verdict)
        return
      }
      for (const member of decision.members) this.#start(member)
    }
  }

  #start(member: MemberIndex): void {
    const request = this.#rules.start(member)
    request.dueMs = this.#options.clock.now() + request.stallMs
    this.#requests.push(request)
    this.#send(request)
    this.#wakeAt(request.dueMs)
  }

  #send(request: Request): void {
    request.sends++
    this.#awaitReply(
      request,
      request.send(() => this.#left(request)),
    )
  }

  /** Whatever throws on the way to a reply is a fault of its node. */
  #awaitReply(request: Request, reply: Promise<Reply>): void {
    const replied = (sent: Reply) => {
      if (request.state !== 'ended') this.#replied(request, sent)
    }
    void reply.then(replied, () => replied(this.#rules.fault))
  }

  #left(request: Request): void {
    // One that is sent again has left the queue before.
    if (request.state !== 'queued' && request.state !== 'parked') return
    request.state = 'awaited'
    request.record.startMs = this.#options.clock.now()
    request.dueMs = request.record.startMs + request.stallMs
    this.#wakeAt(request.dueMs)
  }

  #replied(request: Request, reply: Reply): void {
    const takeResult = this.#take(request, reply)
    if (takeResult === 'done') {
      this.#close(request)
      this.#step()
    } else if ('againMs' in takeResult) this.#after(takeResult.againMs, () => this.#send(request))
    else
      this.#awaitReply(
        request,
        takeResult.when.then(() => reply),
      )
  }

  /** A reply at which reading throws is a fault of its node: what one node sends ends no round, and no process. */
  #take(request: Request, reply: Reply): TakeResult {
    try {
      return this.#rules.take(request, reply)
    } catch {
      return this.#rules.take(request, this.#rules.fault)
    }
  }

  #close(request: Request): void {
    request.state = 'ended'
    request.dueMs = Number.POSITIVE_INFINITY
    request.record.endMs = this.#options.clock.now()
  }

  /** After the verdict: gives up what is not listened to any more. */
  #giveUp(): void {
    const inFlight = this.#requests.filter(({ state }) => state !== 'ended')
    const dropped = inFlight.filter((request) => !this.#isStillNeeded(request, inFlight))
    const stalled = dropped.filter(({ state }) => state === 'stalled')
    this.#isOver ||= dropped.length === inFlight.length
    if (this.#isOver) this.#cancelTimer?.()
    for (const request of dropped) this.#close(request)
    for (const request of dropped) request.abort()
    for (const request of dropped)
      request.giveUp({
        isBlamed: stalled.includes(request) && this.#rules.blames(request, this.#requests),
        isLate: this.#isExpired,
      })
    this.#tellWaiters()
  }

  #tellWaiters(): void {
    if (this.#waiters.length === 0) return
    const inFlight = this.#requests.filter(({ state }) => state !== 'ended')
    const isWaiting = ({ members }: Waiter) =>
      members === null ? !this.#isOver : inFlight.some(({ member }) => members.includes(member))
    const waiters = this.#waiters
    this.#waiters = waiters.filter(isWaiting)
    for (const waiter of waiters) if (!isWaiting(waiter)) waiter.resolve()
  }

  #isStillNeeded({ state }: Request, inFlight: readonly Request[]): boolean {
    switch (this.#keep) {
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

  /** Runs `run` after so many milliseconds, unless the round has ended. */
  #after(ms: number, run: () => void): void {
    const dueMs = this.#options.clock.now() + ms
    this.#later.push({ dueMs, run })
    this.#wakeAt(dueMs)
  }

  #wakeAt(dueMs: number): void {
    const { clock } = this.#options
    if (this.#isOver || dueMs >= this.#timerMs) return
    this.#cancelTimer?.()
    this.#timerMs = dueMs
    this.#cancelTimer = clock.after(Math.max(0, dueMs - clock.now()), this.#wake)
  }

  readonly #wake = (): void => {
    this.#timerMs = Number.POSITIVE_INFINITY
    const nowMs = this.#options.clock.now() + roundingMs
    for (const request of [...this.#requests]) if (request.dueMs <= nowMs) this.#due(request)
    const due = this.#later.filter(({ dueMs }) => dueMs <= nowMs)
    this.#later = this.#later.filter(({ dueMs }) => dueMs > nowMs)
    for (const { run } of due) if (!this.#isOver) run()
    for (const { dueMs } of this.#requests) this.#wakeAt(dueMs)
    for (const { dueMs } of this.#later) this.#wakeAt(dueMs)
  }

  #due(request: Request): void {
    if (request.state === 'ended') return
    if (request.state === 'awaited') {
      request.state = 'stalled'
      request.dueMs = Number.POSITIVE_INFINITY
      request.record.stalledMs = this.#options.clock.now()
      request.stall()
    } else {
      request.state = 'parked'
      request.dueMs += request.stallMs
    }
    this.#step()
  }
}
