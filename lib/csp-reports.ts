import type { Series } from '#rpc-proxy'
import { type HostRequest, type HostResponse, refuse } from './http.ts'
import { parseJson } from './json.ts'
import { prefix } from './names.ts'

/** What one report may weigh; a browser's batch has a few kB. */
const reportBytesMax = 65_536
const reportMsMax = 5000
/** Reports that are read at the same time, and that are read in a minute. Strangers can send as many as they like. */
const openReportsMax = 10
const reportsPerMinuteMax = 600
const violationsPerReportMax = 100
const windowMs = 60_000

/** Directives that are counted by name; a report may name anything. */
const directives = [
  ...['base-uri', 'connect-src', 'default-src', 'font-src', 'form-action', 'frame-ancestors', 'frame-src'],
  ...['img-src', 'manifest-src', 'media-src', 'object-src', 'require-trusted-types-for', 'script-src'],
  ...['script-src-attr', 'script-src-elem', 'style-src', 'style-src-attr', 'style-src-elem', 'trusted-types'],
  'worker-src',
]
const unknownDirective = 'other'

export interface CspReports {
  /** Takes one POST of a browser: 204, or 429 where too many come. */
  readonly take: (request: HostRequest) => Promise<HostResponse>
  readonly counters: () => Series<number>[]
}

/** Counts what browsers report of pages' policies, by directive. Nothing else of a report is kept: it is a stranger's text. */
export function createCspReports(now: () => number): CspReports {
  const counts = new Map<string, number>()
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
      const body = await request.body(reportBytesMax, reportMsMax).finally(() => {
        open -= 1
      })
      if ('fault' in body) return refuse(body.fault === 'too-large' ? 413 : 400, 'unreadable body')
      for (const directive of directivesIn(body.text)) counts.set(directive, (counts.get(directive) ?? 0) + 1)
      return { status: 204, headers: {}, body: '' }
    },
    counters: () =>
      [...counts].map(([directive, value]) => ({
        name: `${prefix}_csp_reports_total`,
        labels: { directive },
        value,
      })),
  }
}

/** Of `report-uri`, one violation, and of the Reporting API, a list of reports of any kind. */
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
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined
}
