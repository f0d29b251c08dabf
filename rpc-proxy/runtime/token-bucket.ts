/** A token bucket: holds what may be spent at once and fills up at a steady pace. */
export interface Bucket {
  tokens: number
  filledMs: number
}

export interface Pace {
  /** What a full bucket holds. */
  readonly tokensMax: number
  readonly perMs: number
}

/** Costs are tenths; sums of them must not miss a limit by a rounding error. */
const epsilon = 1e-6

export const full = ({ tokensMax }: Pace, nowMs: number): Bucket => ({ tokens: tokensMax, filledMs: nowMs })

/** Adds what has flowed in since the last look. */
export function fill(bucket: Bucket, { tokensMax, perMs }: Pace, nowMs: number): void {
  bucket.tokens = Math.min(tokensMax, bucket.tokens + Math.max(0, nowMs - bucket.filledMs) * perMs)
  bucket.filledMs = nowMs
}

/**
 * How long until this cost may be spent, in milliseconds; 0 for now. What costs more than a full bucket holds is granted
 * when the bucket is full, and the bucket then owes the rest.
 */
export function waitMs(bucket: Bucket, cost: number, { tokensMax, perMs }: Pace): number {
  const missing = Math.min(cost, tokensMax) - bucket.tokens
  return missing <= epsilon ? 0 : Math.ceil((missing - epsilon) / perMs)
}
