import type { Gateway } from '#rpc-proxy'
import { usageOf } from '../engine/caller-usage.ts'
import { isScorecardRange, scorecardCsv, scorecardOf } from '../engine/scorecard.ts'
import { type HostResponse, json, refuse } from '../http.ts'

export function answerUsage(gateway: Pick<Gateway, 'keyed' | 'usage'>, query: string): HostResponse {
  const params = new URLSearchParams(query)
  const by = params.get('by') ?? 'day'
  if (by !== 'day' && by !== 'month') return refuse(400, 'by must be day or month')
  const report = usageOf(gateway, by)
  if (params.get('format') !== 'csv') return json(200, report)
  const columns = ['day', 'caller', 'method', 'calls', 'units', 'cacheHits', 'errors'] as const
  const lines = [columns.join(), ...report.usage.map((row) => columns.map((column) => row[column]).join())]
  return csv('usage', `${lines.join('\r\n')}\r\n`)
}

export function answerScorecard(gateway: Pick<Gateway, 'hours' | 'snapshot'>, query: string): HostResponse {
  const params = new URLSearchParams(query)
  const last = params.get('last') ?? '24h'
  if (!isScorecardRange(last)) return refuse(400, 'last must be 24h, 7d or 30d')
  const scorecard = scorecardOf(gateway, last)
  return params.get('format') === 'csv' ? csv('scorecard', scorecardCsv(scorecard)) : json(200, scorecard)
}

function csv(name: string, body: string): HostResponse {
  return {
    status: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}.csv"`,
    },
    body,
  }
}
