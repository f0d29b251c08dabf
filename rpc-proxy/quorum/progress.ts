import type { Ask } from '../race/race.ts'
import type { Operators } from './electorate.ts'
import type { AskPorts, Voter } from './question.ts'
import type { Situation } from './situation.ts'

/** What an ask counts as that has waited in our queue for as long as a stall. */
export type Held = 'awaited' | 'stalled'

type Progress = Pick<Situation, 'awaited' | 'stalled' | 'unasked' | 'unaskedUsable' | 'stalledAreOpen'>

interface ProgressOptions {
  /** Operators with a ballot: what their other nodes do does not matter. */
  readonly voted: Operators
  readonly held: Held
}

/** Which operators are being asked, have stalled, and could still be asked. `asks` are those of `voters`, by place. */
export function progressOf(
  voters: readonly Voter[],
  asks: readonly (Ask | undefined)[],
  { voted, held }: ProgressOptions,
): Progress {
  let awaited = 0
  let stalled = 0
  let unasked = 0
  let unaskedUsable = 0
  let stalledAreOpen = true
  // By index: it runs some nine times for each question, and an iterator makes an array for each step.
  for (let index = 0; index < voters.length; index++) {
    const voter = voters[index] as Voter
    const bit = 1 << voter.operator
    if (voted & bit) continue
    const own = asks[index]?.state
    const state = own === 'held' ? held : own
    if (state === 'awaited' || state === 'queued') awaited |= bit
    else if (state === 'stalled') {
      stalled |= bit
      stalledAreOpen &&= voter.open
    } else if (state === undefined) {
      unasked |= bit
      if (voter.usable) unaskedUsable |= bit
    }
  }
  // An operator that is being asked adds nothing by its second node.
  return {
    awaited,
    stalled,
    unasked: unasked & ~awaited,
    unaskedUsable: unaskedUsable & ~awaited,
    stalledAreOpen,
  }
}

interface NextOptions {
  readonly unasked: Operators
  /** The verdict needs one more, whether or not those in our queue get their places. */
  readonly isNeeded: boolean
  readonly places: Pick<AskPorts, 'hasPlace'>
}

/** The place of the voter to ask next, or -1. A node without a free place is asked only where it is needed. */
export function nextVoter(
  voters: readonly Voter[],
  asks: readonly (Ask | undefined)[],
  { unasked, isNeeded, places }: NextOptions,
): number {
  return voters.findIndex(
    (voter, index) =>
      asks[index] === undefined &&
      (unasked & (1 << voter.operator)) !== 0 &&
      (isNeeded || places.hasPlace(index)),
  )
}
