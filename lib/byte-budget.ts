/** Bytes that may be held at one moment, by all together. */
export interface ByteBudget {
  /** False when so much more would be too much; then nothing is taken. */
  readonly take: (bytes: number) => boolean
  readonly give: (bytes: number) => void
}

/**
 * What all replies of nodes on their way may fill, in bytes: each has a cap of its own, and a thousand calls at their caps
 * would fill any machine. Whoever finds it used up is `busy`, which is nobody's fault and no harm to a node's health.
 */
export function createByteBudget(bytesMax = 256 << 20): ByteBudget {
  let held = 0
  return {
    take(bytes) {
      if (held + bytes > bytesMax) return false
      held += bytes
      return true
    },
    give(bytes) {
      held -= bytes
    },
  }
}
