import { type HostRequest, type HostResponse, refuse, textOf } from '../http.ts'

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
  let startMs = Number.NEGATIVE_INFINITY
  let count = 0

  function isTooMany(): boolean {
    if (now() - startMs >= windowMs) {
      startMs = now()
      count = 0
    }
    if (open >= limits.openMax || count >= limits.perMinuteMax) return true
    count += 1
    return false
  }

  return async (request) => {
    if (isTooMany()) return refuse(429, 'too many reports', { 'retry-after': String(windowMs / 1000) })
    open += 1
    return textOf(request, limits).finally(() => {
      open -= 1
    })
  }
}
