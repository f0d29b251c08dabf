import type { Series } from '#rpc-proxy'
import { type HostRequest, type HostResponse, noContent, refuse, textOf } from './http.ts'
import { isRecord, parseJson } from './json.ts'
import { Counter } from './observe/counter.ts'

/** Limits for reading one report; a browser's batch has a few kB. */
const reportLimits = { bytesMax: 65_536, msMax: 5000 } as const
/** Reports read concurrently, and per minute. Anybody can send them. */
const openReportsMax = 10
const reportsPerMinuteMax = 600
const violationsPerReportMax = 100
const windowMs = 60_000

/** Directives counted by name. A report may name anything, so the rest are counted together. */
const directives = [
  ...['base-uri', 'connect-src', 'default-src', 'font-src', 'form-action', 'frame-ancestors', 'frame-src'],
  ...['img-src', 'manifest-src', 'media-src', 'object-src', 'require-trusted-types-for', 'script-src'],
  ...['script-src-attr', 'script-src-elem', 'style-src', 'style-src-attr', 'style-src-elem', 'trusted-types'],
  'worker-src',
]
const unknownDirective = 'other'

export interface CspReports {
  /** Answers a browser's POST: 204, or 429 when there are too many. */
  readonly take: (request: HostRequest) => Promise<HostResponse>
  readonly counters: () => Series<number>[]
}

/** Counts Content-Security-Policy violations by directive. Nothing else of a report is kept: its text is untrusted. */
export function createCspReports(now: () => number): CspReports {
  const counter = new Counter('csp_reports_total', 'directive')
  let open = 0
  let startMs = Number.NEGATIVE_INFINITY
  let taken = 0

  function isTooMany(): boolean {
    if (now() - startMs >= windowMs) {
      startMs = now()
      taken = 0
    }
    if (open >= openReportsMax || taken >= reportsPerMinuteMax) return true
    taken += 1
    return false
  }

  return {
    async take(request) {
      if (isTooMany()) return refuse(429, 'too many reports', { 'retry-after': String(windowMs / 1000) })
      open += 1
      const text = await textOf(request, reportLimits).finally(() => {
        open -= 1
      })
      if (typeof text !== 'string') return text
      for (const directive of directivesIn(text)) counter.add(directive)
      return noContent()
    },
    counters: () => counter.series(),
  }
}

/** `report-uri` sends one violation, the Reporting API a list of reports of any kind. */
function directivesIn(text: string): string[] {
  const value = parseJson(text)
  const reports = Array.isArray(value) ? value.slice(0, violationsPerReportMax) : [value]
  return reports.flatMap((report) => {
    const named = field(field(report, 'csp-report'), 'effective-directive')
    const told = named ?? field(field(report, 'body'), 'effectiveDirective')
    if (typeof told !== 'string') return []
    return [directives.includes(told) ? told : unknownDirective]
  })
}

function field(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
}
