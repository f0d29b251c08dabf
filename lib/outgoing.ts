import type { Hold, Holdings } from './holdings.ts'
import { outgoingFloor, shortAnswerBytes } from './limits.ts'

/** Answers on their way out: what they hold until they have left, and how fast they must leave. */
export interface Outgoing {
  /** Room for an answer, until `end`; null where its caller reads too slowly for another one. */
  readonly hold: (bytes: number, caller: string | null, cut: () => void) => Hold | null
  /** Calls `late` where no part of an answer has left for too long. */
  readonly pace: (late: () => void) => Pace
}

export interface Pace {
  /** A part of `partBytes` has left. */
  readonly moved: () => void
  readonly end: () => void
}

/** An answer is written in parts of this size, each of which must have left before the next one goes. */
export const partBytes = outgoingFloor.bytes

type Deadlines = (ms: number, late: () => void) => () => void

export function createOutgoing(answers: Holdings, deadline: Deadlines, onSlow: () => void): Outgoing {
  return {
    hold: (bytes, caller, cut) => (bytes <= shortAnswerBytes ? free : answers.hold(bytes, caller, cut)),
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

const free: Hold = { give: () => {}, end: () => {} }
