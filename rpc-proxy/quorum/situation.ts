import { type Electorate, isQuorum, type Operators } from './electorate.ts'
import type { Camp } from './tally.ts'

/** All that a verdict may rest on. No time, no network: the same situation always gets the same verdict. */
export interface Situation {
  readonly electorate: Electorate
  readonly camps: readonly Camp[]
  /** Operators with a ballot. */
  readonly voted: Operators
  /** Operators that do not have the block yet, of a call that may be put again of the block before. */
  readonly behind: Operators
  /** Operators that are being asked and have not stalled. */
  readonly awaited: Operators
  /** Operators that are being asked and have stalled. */
  readonly stalled: Operators
  /** Operators that could still be asked. */
  readonly unasked: Operators
  /** Of those, operators with a usable node. */
  readonly unaskedUsable: Operators
  /** Every stalled ask is of a node whose breaker is not closed. */
  readonly stalledAreOpen: boolean
  /** The deadline has passed. */
  readonly late: boolean
  /** An answer that must have a vote to spare, because something speaks against it. */
  readonly isSuspicious: (value: unknown) => boolean
}

export function answers({ camps }: Situation): readonly Camp[] {
  return camps.filter((camp) => camp.kind === 'answer')
}

/** Every node worth asking has answered or stalled. */
export function isEverybodyHeard({ awaited, unaskedUsable }: Situation): boolean {
  return awaited === 0 && unaskedUsable === 0
}

/** Operators that may still speak, whether or not they have been asked. */
export function outstanding({ awaited, stalled, unasked }: Situation): Operators {
  return awaited | stalled | unasked
}

/** With those who lack the block there would be a quorum, and all others have spoken or stalled: one lower there may be one. */
export function isAheadOfMany({ electorate, camps, behind, awaited, unasked }: Situation): boolean {
  return behind !== 0 && awaited === 0 && unasked === 0 && wouldAgreeWith(behind, camps, electorate)
}

/** Whether these and some camp together would be a quorum. */
export function wouldAgreeWith(joining: Operators, camps: readonly Camp[], electorate: Electorate): boolean {
  return camps.some(({ operators }) => isQuorum(electorate, operators | joining))
}

/** Only stalled nodes whose breakers are not closed are left. */
export function waitsInVain({ awaited, unasked, stalled, stalledAreOpen }: Situation): boolean {
  return awaited === 0 && unasked === 0 && stalled !== 0 && stalledAreOpen
}
