import type { Certificate, ChainHistory, NodeHistory } from '#lib/engine-reads.ts'

/** Share of calls that must be answered: the objective behind the alerts. */
const objective = 0.999
/** Below so many calls a share says nothing. */
const callsMin = 100

export const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

/** What has become of a chain's error budget. Shares; null where there were too few calls to say. */
export interface Budget {
  readonly answered: number | null
  /** Of the budget of the whole stretch: 1 is all of it. */
  readonly spent: number | null
  /** How many times faster than allowed the last step spends it. */
  readonly burn: number | null
}

/** From a day in steps of an hour. */
export function budgetOf({ calls, failures }: Pick<ChainHistory, 'calls' | 'failures'>): Budget {
  const failed = shareOf(sum(failures), sum(calls), callsMin)
  // The last step may have just begun; with the one before it there is an hour at least.
  const burning = shareOf(sum(failures.slice(-2)), sum(calls.slice(-2)), callsMin)
  return {
    answered: failed === null ? null : 1 - failed,
    spent: failed === null ? null : failed / (1 - objective),
    burn: burning === null ? null : burning / (1 - objective),
  }
}

/** A share of a whole; null where the whole is less than `min`, one if it is not given. */
export function shareOf(part: number, whole: number, min = 1): number | null {
  return whole < min ? null : part / whole
}

/** Upper bounds of the latency steps, milliseconds; what is slower is the last step. */
export const latencyBoundsMs = [25, 50, 100, 250, 750] as const

/** 0 where nothing was replied, then 1 for the fastest up to one more than there are bounds. */
export function latencyStep(replies: number, replyMs: number): number {
  if (replies === 0) return 0
  const mean = replyMs / replies
  const index = latencyBoundsMs.findIndex((bound) => mean < bound)
  return index === -1 ? latencyBoundsMs.length + 1 : index + 1
}

/** Steps in which a node did something, by what it was: the marks over its row. */
export function marksOf({ dissents, faults, limited }: NodeHistory) {
  const at = (values: readonly number[]) => values.flatMap((value, index) => (value > 0 ? [index] : []))
  const failed = faults.map((value, index) => value + (limited[index] ?? 0))
  return { dissents: at(dissents), faults: at(failed) }
}

/** Sums of neighbouring steps, so that no more than `most` are left. */
export function grouped(values: readonly number[], most: number): readonly number[] {
  const size = Math.max(1, Math.ceil(values.length / most))
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    sum(values.slice(index * size, (index + 1) * size)),
  )
}

/** The camp that was answered, by its index; null where none was. */
export function winnerOf({ outcome, camps }: Pick<Certificate, 'outcome' | 'camps'>): number | null {
  if (outcome === 'failed' || camps.length === 0) return null
  const weights = camps.map(({ weight }) => weight)
  return weights.indexOf(Math.max(...weights))
}
