import { type Hold, type Holdings, noHold } from './holdings.ts'
import { outgoingFloor, shortAnswerBytes } from './host-limits.ts'

/** Answers being sent: the memory that they hold, and how fast they must be read. */
export interface Outgoing {
  /** Holds memory for an answer until `end`; null when its caller has too much unread. */
  readonly hold: (bytes: number, caller: string | null, cut: () => void) => Hold | null
  /** Calls `late` when no part of an answer was sent for too long. */
  readonly pace: (late: () => void) => Pace
}

export interface Pace {
  /** A part of `partBytes` was sent. */
  readonly moved: () => void
  readonly end: () => void
}

/** How an answer is sent, and for whom. */
export interface WayOut {
  readonly outgoing: Outgoing
  readonly caller: string | null
}

/** Answers are written in parts of this size, each after the one before was sent. */
export const partBytes = outgoingFloor.bytes

type Deadlines = (ms: number, late: () => void) => () => void

export function createOutgoing(answers: Holdings, deadline: Deadlines, onSlow: () => void): Outgoing {
  return {
    hold: (bytes, caller, cut) => (bytes <= shortAnswerBytes ? noHold : answers.hold(bytes, caller, cut)),
    pace(late) {
      const tooSlow = () => {
        onSlow()
        late()
      }
      let callOff = deadline(outgoingFloor.ms, tooSlow)
      return {
        moved() {
          callOff()
          callOff = deadline(outgoingFloor.ms, tooSlow)
        },
        end: () => callOff(),
      }
    },
  }
}
