import { type HostRequest, type HostResponse, noContent, refuse, textOf } from '../http.ts'
import { createWindowCount } from '../limits/window-count.ts'

interface ReportLimits {
  readonly bytesMax: number
  readonly msMax: number
  /** Reports read concurrently, and per minute. Anybody can send them. */
  readonly openMax: number
  readonly perMinuteMax: number
}

const windowMs = 60_000

/** Takes the POSTs in which browsers report something: 204, or 429 where there are too many. */
export function createReportReader(
  limits: ReportLimits,
  now: () => number,
  onReport: (text: string) => void,
): (request: HostRequest) => Promise<HostResponse> {
  let open = 0
  const perSiteMax = limits.perMinuteMax
  const reports = createWindowCount({ windowMs, perCallerMax: perSiteMax, perSiteMax }, now)
  return async (request) => {
    if (open >= limits.openMax || reports.count(null).isOver)
      return refuse(429, 'too many reports', { 'retry-after': String(windowMs / 1000) })
    open += 1
    const text = await textOf(request, limits).finally(() => {
      open -= 1
    })
    if (typeof text !== 'string') return text
    onReport(text)
    return noContent()
  }
}
