/** How long polls have found only blocks below the head. */
export interface RollbackTimer {
  /** A poll finds a lower block. */
  readonly countLowering: (nowMs: number) => void
  /** A quorum shows the head, or a block that follows it. */
  readonly confirmed: () => void
  /** The last poll found a lower block. */
  readonly isLowered: () => boolean
  /** With a lower block found now, polls have found nothing else for `resetMs`. */
  readonly isDue: (nowMs: number) => boolean
}

/** There are no polls without traffic, so a pause between two polls counts for no more than this share of the time. */
const pauseShareMax = 1 / 3

export function createRollbackTimer(resetMs: number): RollbackTimer {
  let since: { readonly polledMs: number; readonly loweredMs: number } | null = null

  function loweredMs(nowMs: number): number {
    const pauseMs = since === null ? 0 : Math.min(nowMs - since.polledMs, resetMs * pauseShareMax)
    return (since?.loweredMs ?? 0) + pauseMs
  }

  return {
    countLowering(nowMs) {
      since = { polledMs: nowMs, loweredMs: loweredMs(nowMs) }
    },
    confirmed() {
      since = null
    },
    isLowered: () => since !== null,
    isDue: (nowMs) => loweredMs(nowMs) >= resetMs,
  }
}
