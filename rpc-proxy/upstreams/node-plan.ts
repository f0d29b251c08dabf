import type { NodeConfig } from '../config/config-types.ts'
import type { PlanSnapshot, UnitCount } from '../events/plan-types.ts'
import type { Clock } from '../runtime/clock.ts'

/** What the requests to one node cost. */
export interface NodePlan {
  readonly spend: (method: string) => void
  /** Its month has no more units: it is asked last. */
  readonly isSpent: () => boolean
  readonly snapshot: () => PlanSnapshot | null
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

export function createPlan(
  { units: costs, perMonth, monthBegins }: Pick<NodeConfig, 'units' | 'perMonth' | 'monthBegins'>,
  clock: Pick<Clock, 'now'>,
  count: UnitCount,
): NodePlan {
  if (costs === null && perMonth === null) return freePlan
  let month = { fromMs: 0, toMs: 0 }
  let version = -1
  /** The units of the month without those of this process since its start. */
  let otherUnits = 0

  function unitsOfMonth(): number {
    const now = clock.now()
    if (now >= month.toMs || version !== count.version()) {
      month = monthOf(monthBegins, now)
      version = count.version()
      otherUnits = count.since(month.fromMs) - count.total()
    }
    return otherUnits + count.total()
  }

  return {
    spend: (method) => count.add(costOf(costs, method)),
    isSpent: () => perMonth !== null && unitsOfMonth() >= perMonth,
    snapshot() {
      if (perMonth === null) return null
      const units = unitsOfMonth()
      return { units, unitsMax: perMonth, ...month, spentMs: spentMsOf(units, perMonth) }
    },
  }

  function spentMsOf(units: number, unitsMax: number): number | null {
    const now = clock.now()
    if (units >= unitsMax) return now
    const fromMs = Math.max(now - dayMs, count.knownMs())
    const perMs = count.since(fromMs) / Math.max(hourMs, now - fromMs)
    const ms = Math.round(now + (unitsMax - units) / perMs)
    return ms < month.toMs ? ms : null
  }
}

const freePlan: NodePlan = { spend() {}, isSpent: () => false, snapshot: () => null }

/** One unit a request, where the configuration does not say more. */
function costOf(costs: Readonly<Record<string, number>> | null, method: string): number {
  if (costs === null) return 1
  return (Object.hasOwn(costs, method) ? costs[method] : costs.default) ?? 1
}

/**
 * The month of a plan, from its first day (`monthBegins`, UTC) to the next. Where a calendar month has no such day, it begins on the last one.
 *
 * @example
 * monthOf(31, Date.UTC(2026, 1, 10)) // from January 31 to February 28
 */
export function monthOf(day: number, nowMs: number): { readonly fromMs: number; readonly toMs: number } {
  const now = new Date(nowMs)
  const beginOf = (months: number) => {
    const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() + months]
    const days = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
    return Date.UTC(year, month, Math.min(day, days))
  }
  const isBegun = beginOf(0) <= nowMs
  return { fromMs: beginOf(isBegun ? 0 : -1), toMs: beginOf(isBegun ? 1 : 0) }
}
