/** How long the head has not been shown by a quorum while looks found a lower block instead. */
export interface SetBack {
  /** A look finds a lower block. True once looks have found nothing else for `resetMs`. */
  readonly lowered: (nowMs: number) => boolean
  /** A quorum shows the head, or a block that follows it. */
  readonly shown: () => void
  /** Looks find a lower block now. */
  readonly isLowered: () => boolean
}

/** There are no looks without traffic, so a pause between two looks counts for no more than this share of the time. */
const pauseShareMax = 1 / 3

export function createSetBack(resetMs: number): SetBack {
  let since: { readonly lookedMs: number; readonly loweredMs: number } | null = null

  return {
    lowered(nowMs) {
      const pauseMs = since === null ? 0 : Math.min(nowMs - since.lookedMs, resetMs * pauseShareMax)
      since = { lookedMs: nowMs, loweredMs: (since?.loweredMs ?? 0) + pauseMs }
      return since.loweredMs >= resetMs
    },
    shown() {
      since = null
    },
    isLowered: () => since !== null,
  }
}
