import type { HostRequest, HostResponse } from '../http.ts'
import type { LogWriter } from '../observe/line.ts'
import { writePageLine } from '../observe/log-plain.ts'
import { isRecord, parseJson } from '../parse-json.ts'
import { createReportReader } from './report-reader.ts'

const detailCharsMax = 200

/** Logs an error of a page on the server, by the digest that its visitor is shown. */
export function notePageError(
  error: unknown,
  { routePath, routeType }: { readonly routePath: string; readonly routeType: string },
): void {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  const digest = isRecord(error) && typeof error.digest === 'string' ? error.digest : null
  writePageLine({
    level: 'error',
    event: 'page-error',
    message: 'a page failed on the server',
    fields: {
      id: digest,
      side: 'server',
      route: routePath,
      type: routeType,
      error: name,
      detail: message.slice(0, detailCharsMax),
    },
  })
}

/** A report has six short members. */
const reportLimits = { bytesMax: 4096, msMax: 5000, openMax: 10, perMinuteMax: 60 } as const

/** What a report may say: a browser can send anything, and nothing of a visitor belongs in the log. */
const shapes = {
  id: /^[a-z0-9]{1,12}$/,
  route: /^\/(?:[a-z-]{1,20}(?:\/[a-z-]{1,20})?)?$/,
  error: /^[A-Za-z]{1,40}$/,
  at: /^\/_next\/static\/[\w./~-]{1,120}:\d{1,8}:\d{1,8}$/,
} as const

/** Logs errors of pages in browsers, which report them with the id that the visitor is shown. */
export function createPageErrorReports(
  log: LogWriter,
  now: () => number,
): (request: HostRequest) => Promise<HostResponse> {
  return createReportReader(reportLimits, now, (text) => {
    const report = parseJson(text)
    const member = (name: keyof typeof shapes) => {
      const value = isRecord(report) && Object.hasOwn(report, name) ? report[name] : null
      return typeof value === 'string' && shapes[name].test(value) ? value : null
    }
    const id = member('id')
    if (id === null) return
    log.write({
      level: 'error',
      event: 'page-error',
      message: 'a page failed in a browser',
      fields: { id, side: 'browser', route: member('route'), error: member('error'), at: member('at') },
    })
  })
}
