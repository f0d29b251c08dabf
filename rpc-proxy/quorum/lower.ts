import { aheadOfMany, type Judge } from './verdict.ts'

/**
 * The same judge, but it fails early when only stalled nodes are outstanding and the nodes that lack the block would, together
 * with a camp, be a quorum: they may be one at the previous block. Otherwise the call would wait for the stalled nodes until the
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
