import type { NodeConfig } from '../config/config-types.ts'
import type { PlanSnapshot, UnitCount } from '../events/plan-types.ts'
import type { Signal } from '../runtime/abort.ts'
import type { Clock } from '../runtime/clock.ts'
import { createFairSlots, type RoundCallers } from '../runtime/fair-slots.ts'
import { dayMs, hourMs } from '../runtime/period-counts.ts'
import { fill, full, waitMs } from '../runtime/token-bucket.ts'

/** Which places a request takes: calls and head polls never wait for each other. */
export type Lane = 'call' | 'head-poll'

type BudgetOptions = Pick<NodeConfig, 'inFlightMax' | 'perSecond' | 'perDay'>

/** Asks that may wait for a place, in each lane. */
const waitingMax = 4096
/** Head polls in flight, beside `inFlightMax` calls. A node that hangs has each until its deadline, and is asked again meanwhile. */
const pollsInFlightMax = 32

/** Of a witness's day, this much is for tightened rounds and heads: one that voters need for hours must not use up what protects signatures. */
const everydayShare = 1 / 2

/** How much a node may be asked. */
export type Budget = ReturnType<typeof createBudget>

/** Asks in flight by lane, and both lanes together per second (a bucket that holds one second's worth) and per UTC day. */
export function createBudget(
  { inFlightMax, perSecond, perDay }: BudgetOptions,
  clock: Clock,
  onSpent: (requests: number) => void = () => {},
) {
  const pace = { tokensMax: Math.max(perSecond ?? 0, 1), perMs: (perSecond ?? 0) / 1000 }
  const bucket = full(pace, clock.now())
  let day = Math.floor(clock.now() / dayMs)
  let today = 0
  const lanes = {
    call: createFairSlots({ max: inFlightMax, waitingMax }),
    'head-poll': createFairSlots({ max: pollsInFlightMax, waitingMax }),
  }

  function refill(): void {
    const now = clock.now()
    fill(bucket, pace, now)
    const newDay = Math.floor(now / dayMs)
    if (newDay !== day) today = 0
    day = newDay
  }

  function has(): boolean {
    if (perSecond === null && perDay === null) return true
    refill()
    return (perSecond === null || waitMs(bucket, 1, pace) === 0) && (perDay === null || today < perDay)
  }

  function count(requests: number): void {
    bucket.tokens -= requests
    today += requests
  }

  function charge(requests: number): void {
    count(requests)
    onSpent(requests)
  }

  /** It was never asked. */
  const refund = () => charge(-1)

  return {
    /** Whether its rate and its day have something left. */
    has,
    /** Whether everyday calls have used up their share of its day, of a witness: the rest is for protected ones. */
    isReserved(): boolean {
      refill()
      return perDay !== null && today >= perDay * everydayShare
    },
    /** Requests left of its UTC day; null where there is no such limit. */
    leftToday(): number | null {
      refill()
      return perDay === null ? null : Math.max(0, perDay - today)
    },
    /** Counts what is asked without a place of its own: who a node is, and the parts of a long range. */
    spend: () => charge(1),
    /** Counts what another engine sent to it. */
    spentElsewhere(requests: number): void {
      refill()
      count(requests)
    },
    /**
     * Waits for a place among the requests in flight of its lane: callers are served in turn. False, and nothing taken, when the node's
     * rate or day is used up, when the queue is full and no caller has a longer one than this caller, or when `signal` fires first.
     * In a full queue the newest request of the caller with the longest one is dropped.
     */
    enter(signal: Signal, lane: Lane = 'call', callers?: RoundCallers): boolean | Promise<boolean> {
      if (!has()) return false
      charge(1)
      return lanes[lane].acquire(signal, callers, refund)
    },
    leave: (lane: Lane = 'call') => lanes[lane].release(),
    inFlight: () => lanes.call.inFlight() + lanes['head-poll'].inFlight(),
    /** How often its places are taken: 0 while one is free, 1 while they are and fewer wait than there are places, and so on. */
    backlog: () => Math.floor((lanes.call.inFlight() + lanes.call.waiting()) / inFlightMax),
  }
}

export type NodePlan = ReturnType<typeof createPlan>

/** What the requests to one node cost. */
export function createPlan(
  { units: costs, perMonth, monthBegins }: Pick<NodeConfig, 'units' | 'perMonth' | 'monthBegins'>,
  clock: Pick<Clock, 'now'>,
  count: UnitCount,
) {
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
    spend(method: string): void {
      if (costs !== null || perMonth !== null) count.add(costOf(costs, method))
    },
    /** Its month has no more units: it is asked last. */
    isSpent: () => perMonth !== null && unitsOfMonth() >= perMonth,
    snapshot(): PlanSnapshot | null {
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
