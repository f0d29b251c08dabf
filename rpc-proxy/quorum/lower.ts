import { aheadOfMany, type Judge } from './verdict.ts'

/**
 * The same judge, which gives up where nobody is waited for any more but those who have stalled, and nodes that lack the
 * block would with a camp be a quorum: one block lower they may be one. Else whoever asks waits for the silent until the
 * deadline.
 */
export function orLower(judge: Judge): Judge {
  return {
    ...judge,
    decide: (situation) =>
      judge.decide(situation) ??
      (aheadOfMany.applies(situation) ? aheadOfMany.decide(situation, aheadOfMany.name) : null),
  }
}
