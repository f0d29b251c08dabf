import type { Clock } from '../clock.ts'
import type { AskRecord } from '../events.ts'
import type { VoterState } from './progress.ts'
import type { Voter } from './question.ts'

interface WaitingPorts {
  readonly clock: Clock
  readonly timer: (ms: number, run: () => void) => void
  readonly onStall: (voter: number) => void
  /** A voter's state has changed. */
  readonly goOn: () => void
}

/** The stall clocks of one question's asks. Changes `states`, which are those of `voters`, by place. */
export interface Waiting {
  /** An ask has entered our queue. Whenever it has waited there as long as its stall, a free place is looked for elsewhere. */
  readonly queued: (voter: number) => void
  /** An ask has left our queue: from now on the time is the node's. Does nothing for a repeat. */
  readonly sent: (voter: number, record: AskRecord) => void
}

export function createWaiting(
  voters: readonly Voter[],
  states: VoterState[],
  { clock, timer, onStall, goOn }: WaitingPorts,
): Waiting {
  const stallMsOf = (voter: number) => (voters[voter] as Voter).stallMs
  const isQueued = (voter: number) => states[voter] === 'queued' || states[voter] === 'held'

  function queued(voter: number): void {
    if (!isQueued(voter)) return
    timer(stallMsOf(voter), () => {
      if (!isQueued(voter)) return
      states[voter] = 'held'
      queued(voter)
      goOn()
    })
  }

  function sent(voter: number, record: AskRecord): void {
    // A repeat has left the queue before.
    if (!isQueued(voter)) return
    states[voter] = 'awaited'
    record.startMs = clock.now()
    timer(stallMsOf(voter), () => {
      if (states[voter] !== 'awaited') return
      states[voter] = 'stalled'
      record.stalledMs = clock.now()
      onStall(voter)
      goOn()
    })
  }

  return { queued, sent }
}
