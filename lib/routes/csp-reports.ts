import type { HostRequest, HostResponse } from '../http.ts'
import type { HostCounts } from '../observe/host-counts.ts'
import { isRecord, parseJson } from '../parse-json.ts'
import { createReportReader } from './report-reader.ts'

/** A browser's batch has a few kB. */
const reportLimits = { bytesMax: 65_536, msMax: 5000, openMax: 10, perMinuteMax: 600 } as const
const violationsPerReportMax = 100

/** Directives counted by name. A report may name anything, so the rest are counted together. */
const directives = [
  ...['base-uri', 'connect-src', 'default-src', 'font-src', 'form-action', 'frame-ancestors', 'frame-src'],
  ...['img-src', 'manifest-src', 'media-src', 'object-src', 'require-trusted-types-for', 'script-src'],
  ...['script-src-attr', 'script-src-elem', 'style-src', 'style-src-attr', 'style-src-elem', 'trusted-types'],
  'worker-src',
]
const unknownDirective = 'other'

/** Counts Content-Security-Policy violations by directive. Nothing else of a report is kept: its text is untrusted. */
export function createCspReports(
  counts: Pick<HostCounts, 'counter'>,
  now: () => number,
): (request: HostRequest) => Promise<HostResponse> {
  const count = counts.counter('csp_reports_total', 'directive')
  return createReportReader(reportLimits, now, (text) => {
    for (const directive of directivesIn(text)) count(directive)
  })
}

/** `report-uri` sends one violation, the Reporting API a list of reports of any kind. */
function directivesIn(text: string): string[] {
  const value = parseJson(text)
  const reports = Array.isArray(value) ? value.slice(0, violationsPerReportMax) : [value]
  return reports.flatMap((report) => {
    const named = field(field(report, 'csp-report'), 'effective-directive')
    const directive = named ?? field(field(report, 'body'), 'effectiveDirective')
    if (typeof directive !== 'string') return []
    return [directives.includes(directive) ? directive : unknownDirective]
  })
}

function field(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
}
