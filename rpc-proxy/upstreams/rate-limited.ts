/** When a node that limits us is asked again. */
interface RateLimit {
  /** It limits us; `backoffMs`: for as long as it said, milliseconds. */
  readonly limited: (backoffMs?: number) => void
  /** Its head was seen. True where that ended a rest. */
  readonly seen: () => boolean
  /** When the rest is over, epoch milliseconds; null while there is none. */
  readonly untilMs: () => number | null
}

/** Where it does not say how long. */
const defaultBackoffMs = 1000
/** A longer rest is that of a quota. */
const rateMsMax = 60_000
const quotaMsMax = 86_400_000

/**
 * A rest for a rate lasts as long as the node says. One for a quota may last to the end of a day or longer, and what it was
 * told may be wrong: the first head poll that it answers ends it.
 */
export function createRateLimited(now: () => number): RateLimit {
  let untilMs = 0
  let isQuota = false

  return {
    limited(backoffMs = defaultBackoffMs) {
      if (now() >= untilMs) isQuota = false
      isQuota ||= backoffMs > rateMsMax
      // Replies that were on their way together may name different times.
      untilMs = Math.max(untilMs, now() + Math.min(backoffMs, quotaMsMax))
    },
    seen() {
      const isOver = isQuota && now() < untilMs
      if (isOver) untilMs = 0
      return isOver
    },
    untilMs: () => (untilMs !== 0 && now() < untilMs ? untilMs : null),
  }
}
