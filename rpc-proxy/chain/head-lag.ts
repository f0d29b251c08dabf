import type { ChainConfig } from '../config/config-types.ts'
import type { EngineEvent } from '../events/events.ts'
import type { Head } from '../heads/heads.ts'
import { idOf } from './head-evidence.ts'

/** How old the block of the head was, by the clock, when a quorum last showed it; null where no quorum tells its time. */
export function blockAgeMsOf({ confirmedMs, timeMs }: Head): number | null {
  return timeMs === null ? null : Math.max(0, Math.round(confirmedMs - timeMs))
}

/** How far the block of the head was ahead of this machine's clock when a quorum last showed it: the clock is behind by that. */
export function clockBehindMsOf({ confirmedMs, timeMs }: Head): number {
  return timeMs === null ? 0 : Math.max(0, Math.round(timeMs - confirmedMs))
}

/** Whether nodes agree on a block that is too old to be the chain's newest. */
export function isOldBlock(head: Head, { headLagMaxMs }: Pick<ChainConfig, 'headLagMaxMs'>): boolean {
  return headLagMaxMs !== null && (blockAgeMsOf(head) ?? 0) > headLagMaxMs
}

/** What a clock may be behind without a word: a node may show a block some seconds before its time. */
const clockBehindMaxMs = 15_000

/** Emits when the head becomes too old or is from the future, and when it is neither again. Takes each head that a poll has confirmed. */
export function watchHeadLag(
  config: Pick<ChainConfig, 'id' | 'headLagMaxMs'>,
  emit: (event: EngineEvent) => void,
): (head: Head) => void {
  let wasOld = false
  let wasBehind = false
  return (head) => {
    const [chainId, block] = [config.id, idOf(head.block)]
    const clockBehindMs = clockBehindMsOf(head)
    const isBehind = config.headLagMaxMs !== null && clockBehindMs > clockBehindMaxMs
    if (isBehind !== wasBehind) emit({ type: 'clock-behind', chainId, block, clockBehindMs, isBehind })
    wasBehind = isBehind
    const isOld = isOldBlock(head, config)
    const blockAgeMs = blockAgeMsOf(head)
    if (blockAgeMs === null || isOld === wasOld) return
    wasOld = isOld
    emit({ type: 'head-lag', chainId, block, blockAgeMs, isOld })
  }
}
