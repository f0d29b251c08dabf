import { Abort } from '../runtime/abort.ts'
import type { MemberIndex } from '../runtime/indexes.ts'

/**
 * `queued`: waits in our own queue for a slot at the node. `parked`: has done so for as long as a stall. `awaited`: its node has it.
 * `stalled`: its node has had it for as long as a stall.
 */
export type UpstreamState = 'queued' | 'parked' | 'awaited' | 'stalled' | 'ended'

/** When a request left our queue, ended and stalled, epoch milliseconds. */
export interface Timing {
  startMs: number
  endMs: number | null
  stalledMs: number | null
}

/** How a request ended that was given up. */
export interface GivenUp {
  /** Its stall counts against the node. */
  readonly isBlamed: boolean
  /** The deadline ended it. */
  readonly isLate: boolean
}

/** One upstream request of a round, and the signal that aborts it: one object, since each call has several. */
export abstract class RoundRequest<Reply> extends Abort {
  readonly member: MemberIndex
  readonly stallMs: number
  readonly record: Timing
  // These three are changed by the round alone.
  state: UpstreamState = 'queued'
  /** How often it has been sent. */
  sends = 0
  /** When its stall passes, or its wait in our queue has lasted for one more stall; epoch milliseconds. */
  dueMs = Number.POSITIVE_INFINITY

  constructor(member: MemberIndex, stallMs: number, record: Timing) {
    super()
    this.member = member
    this.stallMs = stallMs
    this.record = record
  }

  /** Sends it, or sends it again; never rejects. `left`: it has left our queue, and the node's time begins. */
  abstract send(left: () => void): Promise<Reply>
  /** Reports that it has stalled. */
  abstract stall(): void
  /** Reports that it was given up. */
  abstract giveUp(how: GivenUp): void
}
