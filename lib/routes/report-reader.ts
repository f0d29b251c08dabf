import { type HostRequest, type HostResponse, refuse, textOf } from '../http.ts'
import { createWindowCount } from '../limits/window-count.ts'

export interface ReportLimits {
  readonly bytesMax: number
  readonly msMax: number
  /** Reports read concurrently, and per minute. Anybody can send them. */
  readonly openMax: number
  readonly perMinuteMax: number
}

const windowMs = 60_000

/** Reads the body of a browser's report; the refusal to answer with where there are too many. */
export type ReadReport = (request: HostRequest) => Promise<string | HostResponse>

export function createReportReader(limits: ReportLimits, now: () => number): ReadReport {
  let open = 0
  const reports = createWindowCount(windowMs, now)
  return async (request) => {
    if (open >= limits.openMax || reports.count(null).all > limits.perMinuteMax)
      return refuse(429, 'too many reports', { 'retry-after': String(windowMs / 1000) })
    open += 1
    return textOf(request, limits).finally(() => {
      open -= 1
    })
  }
}
