/** Votes against more than half of all weight, and how long the node is benched for them. */
export interface Bench {
  /** It dissented. True when that benches it. */
  readonly dissented: () => boolean
  /** Epoch milliseconds; null while it is not benched. */
  readonly untilMs: () => number | null
}

export interface BenchOptions {
  /** Dissents within `dissentWindowMs` that bench it. */
  readonly dissentsMax?: number
  readonly dissentWindowMs?: number
  /** The first benching; each further one is twice as long, up to `benchMsMax`. */
  readonly benchMs?: number
  readonly benchMsMax?: number
  /** Each such time without a benching halves the next one, down to `benchMs`. */
  readonly quietMs?: number
}

export function createBench(
  now: () => number,
  {
    dissentsMax = 3,
    dissentWindowMs = 60_000,
    benchMs = 60_000,
    benchMsMax = 3_600_000,
    quietMs = 3_600_000,
  }: BenchOptions = {},
): Bench {
  let untilMs = 0
  /** How often the next benching has been doubled. */
  let benchings = 0
  let dissents: number[] = []

  return {
    dissented() {
      const nowMs = now()
      dissents = [...dissents.filter((ms) => nowMs - ms < dissentWindowMs), nowMs]
      if (dissents.length < dissentsMax || nowMs < untilMs) return false
      dissents = []
      benchings = Math.max(0, benchings - Math.floor((nowMs - untilMs) / quietMs))
      untilMs = nowMs + Math.min(benchMs * 2 ** benchings, benchMsMax)
      if (benchMs * 2 ** benchings < benchMsMax) benchings++
      return true
    },
    untilMs: () => (untilMs !== 0 && now() < untilMs ? untilMs : null),
  }
}
