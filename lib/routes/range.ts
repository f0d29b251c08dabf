import { z } from 'zod'
import { type HistoryRange, historyStepMs, historyStepsMax } from '#rpc-proxy'

/** The longest period in the history, milliseconds. */
export const rangeMsMax = historyStepMs * historyStepsMax
const rangeMsDefault = 3_600_000
export const stepsMaxMost = 720
const stepsMaxDefault = 120

const whole = z.coerce.number().int().nonnegative()
const rangeQuery = z.object({
  from: whole.optional(),
  to: whole.optional(),
  steps: whole.min(1).max(stepsMaxMost).default(stepsMaxDefault),
})

/** The period in a query's `from`, `to` (epoch milliseconds) and `steps`. The last hour by default, a day at most; null when it is invalid. */
export function rangeFrom(query: string, nowMs: number): HistoryRange | null {
  const { data } = rangeQuery.safeParse(Object.fromEntries(new URLSearchParams(query)))
  if (data === undefined) return null
  const toMs = data.to ?? nowMs
  const fromMs = data.from ?? Math.max(0, toMs - rangeMsDefault)
  if (fromMs >= toMs || toMs - fromMs > rangeMsMax) return null
  return { fromMs, toMs, stepsMax: data.steps }
}
