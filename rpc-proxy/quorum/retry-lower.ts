import { blockMissing, type Strategy } from './verdict.ts'

/**
 * The same strategy, but it fails early when only stalled nodes are outstanding and the nodes that lack the block would, with
 * a group, be a quorum: the previous block may have one. Otherwise the call would wait for the stalled nodes until the deadline.
 */
export function orLower(strategy: Strategy): Strategy {
  return {
    ...strategy,
    decide: (situation) =>
      strategy.decide(situation) ??
      (blockMissing.applies(situation) ? blockMissing.decide(situation, blockMissing) : null),
  }
}
