import type { Clock } from '../runtime/clock.ts'

/** How many calls travel to a node in one POST. */
export interface BatchSize {
  /** Calls that may travel together now. At 1 each goes alone. */
  readonly max: () => number
  /** Calls could travel together: with `auto`, a node that has not been tried lately is tried. */
  readonly wanted: () => void
  /** It answered this many calls in one array. */
  readonly took: (calls: number) => void
  /** It failed at a batch and takes at most `calls`. */
  readonly refused: (calls: number) => void
}

interface BatchSizePorts {
  readonly clock: Clock
  /** Sends two calls of our own in one array: whether both are answered. Runs in the background. */
  readonly tryTwo: () => Promise<boolean>
}

/** Of `auto`: below the limits of node programs, which start at 100. */
const autoCallsMax = 20
const fixedForgetMs = 600_000
const autoForgetMs = 3_600_000

/**
 * A number is taken at its word; what a node refuses is remembered for ten minutes. With `auto` a node is tried once calls could
 * have travelled together, with two of our own; it gets twice as many as it has answered in one array, up to 20, and is tried
 * again an hour after a refusal.
 */
export function createBatchSize(configured: number | 'auto', { clock, tryTwo }: BatchSizePorts): BatchSize {
  const isAuto = configured === 'auto'
  const ceiling = isAuto ? autoCallsMax : configured
  let provenMax = isAuto ? 1 : ceiling
  let rejectedBatch = { calls: ceiling, untilMs: 0 }
  let isTrying = false

  const isRejected = () => rejectedBatch.untilMs !== 0 && clock.now() < rejectedBatch.untilMs
  const max = () => (isRejected() ? Math.min(provenMax, rejectedBatch.calls) : provenMax)

  function took(calls: number): void {
    if (calls >= provenMax) provenMax = Math.min(calls * 2, ceiling)
  }

  function refused(calls: number): void {
    rejectedBatch = {
      calls: Math.min(max(), calls),
      untilMs: clock.now() + (isAuto ? autoForgetMs : fixedForgetMs),
    }
    if (isAuto) provenMax = rejectedBatch.calls
  }

  async function tryIt(): Promise<void> {
    isTrying = true
    if (await tryTwo()) took(2)
    else refused(1)
    isTrying = false
  }

  return {
    max,
    wanted() {
      if (provenMax === 1 && isAuto && !isTrying && !isRejected()) void tryIt()
    },
    took,
    refused,
  }
}
