import type { Gateway, Series, UsageRow } from '#rpc-proxy'
import { prefix } from '../public-names.ts'

export type CallerUsage = ReturnType<typeof usageOf>

/** What callers with keys have used, by day or month, and how much of their month is left. */
export function usageOf({ keyed, usage }: Pick<Gateway, 'keyed' | 'usage'>, by: 'day' | 'month') {
  const callers = [...keyed.all()].map(({ name, perMonth }) => ({
    name,
    perMonth,
    monthUnits: Math.round(usage.monthUnits(name) * 10) / 10,
  }))
  return { month: usage.month(), callers, usage: by === 'day' ? usage.rows() : byMonth(usage.rows()) }
}

function byMonth(rows: readonly UsageRow[]): readonly UsageRow[] {
  const months = new Map<string, UsageRow>()
  for (const row of rows) {
    const day = row.day.slice(0, 7)
    const key = `${day} ${row.caller} ${row.method}`
    const known = months.get(key)
    months.set(key, {
      ...row,
      day,
      calls: row.calls + (known?.calls ?? 0),
      units: Math.round((row.units + (known?.units ?? 0)) * 10) / 10,
      cacheHits: row.cacheHits + (known?.cacheHits ?? 0),
      errors: row.errors + (known?.errors ?? 0),
    })
  }
  return [...months.values()]
}

/** The metrics of the callers that have keys now. */
export function usageSeries({ keyed, usage }: Pick<Gateway, 'keyed' | 'usage'>): Series<number>[] {
  const totals = usage.totals()
  return [...keyed.all()].flatMap(({ name, perMonth }) => {
    const { calls = 0, units = 0, cacheHits = 0, errors = 0 } = totals.get(name) ?? {}
    const values = {
      caller_calls_total: calls,
      caller_units_total: units,
      caller_cache_hits_total: cacheHits,
      caller_errors_total: errors,
      caller_month_units: usage.monthUnits(name),
      ...(perMonth !== null && { caller_month_units_max: perMonth }),
    }
    return Object.entries(values).map(([metric, value]) => ({
      name: `${prefix}_${metric}`,
      labels: { caller: name },
      value,
    }))
  })
}
