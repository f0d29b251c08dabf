import { type LimitCounts, outgoingFloor, shortAnswerBytes } from './host-limits.ts'
import { createHostQuota, type Lease, noLease, type Quota } from './quota.ts'

/** Answers being sent: the memory that they hold, and how fast they must be read. */
export type Outgoing = ReturnType<typeof createOutgoing>

/** How an answer is sent, and for whom. */
export interface ResponseContext {
  readonly outgoing: Outgoing
  readonly caller: string | null
}

/** Answers are written in parts of this size, each after the one before was sent. */
export const partBytes = outgoingFloor.bytes

/**
 * Limits answers that are not read: by a quota of their bytes, which a caller leases until the last of them has been sent, and by the pace
 * at which they must be read, `outgoingFloor`. The quota alone would let a caller hold its part for ever, the pace alone would let it
 * hold any number of answers. Answers of `shortAnswerBytes` at most are exempt from the quota: the kernel takes them whole.
 */
export function createOutgoing(answers: Quota, onSlow: () => void) {
  return {
    /** Leases memory for an answer; null when its caller has too much unread. */
    acquire: (bytes: number, caller: string | null, cut: () => void): Lease | null =>
      bytes <= shortAnswerBytes ? noLease : answers.acquire(bytes, caller, cut),
    /** Calls `late` when no part of an answer was sent for too long. */
    pace(late: () => void) {
      const tooSlow = () => {
        onSlow()
        late()
      }
      let timer = setTimeout(tooSlow, outgoingFloor.ms)
      return {
        /** A part of `partBytes` was sent. */
        moved() {
          clearTimeout(timer)
          timer = setTimeout(tooSlow, outgoingFloor.ms)
        },
        end: () => clearTimeout(timer),
      }
    },
  }
}

/** Outgoing answers under the host's limits, with their metrics. */
export function createHostOutgoing(counts: LimitCounts): Outgoing {
  return createOutgoing(createHostQuota('outgoing', counts), () => counts.met('slowReaders'))
}
