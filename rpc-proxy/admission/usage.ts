import type { Clock } from '../runtime/clock.ts'
import { CallError } from '../runtime/errors.ts'

/** What a caller with a key did by one method in a day. */
export interface UsageSums {
  readonly calls: number
  readonly units: number
  readonly cacheHits: number
  readonly errors: number
}

/** By UTC day as `2026-11-27`, caller and method. */
export type DayUsage = Readonly<Record<string, Readonly<Record<string, UsageSums>>>>

export interface UsageRow extends UsageSums {
  readonly day: string
  readonly caller: string
  readonly method: string
}

type Sums = { -readonly [Name in keyof UsageSums]: UsageSums[Name] }
type Day = Map<string, Map<string, Sums>>

/** Days that are kept: this month and the one before have no more. */
const daysMax = 62
const dayMs = 86_400_000
/** Units that no single call has cost: long answers, refusals, blocks read for a filter. */
const restLabel = '_OTHER'

/** What callers with keys have used: here, and what other processes and earlier ones tell of. */
export class Usage {
  readonly #clock: Pick<Clock, 'now'>
  readonly #own = new Map<string, Day>()
  readonly #others = new Map<string, readonly UsageRow[]>()
  readonly #totals = new Map<string, Sums>()
  /** Of the current month, by caller. */
  #month = { name: '', own: new Map<string, number>(), others: new Map<string, number>() }
  #day = { number: -1, name: '' }

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  /** Has spent so much of its budget; a negative amount was given back. */
  spend(caller: string, units: number): void {
    // Before it is counted by day, from which a new month is summed.
    const { own } = this.#monthNow()
    this.#sumsOf(caller, restLabel).units += units
    this.#totalOf(caller).units += units
    own.set(caller, (own.get(caller) ?? 0) + units)
  }

  /** A call has ended, and its units, which have been spent, are those of its method. */
  count(
    caller: string,
    call: {
      readonly method: string
      readonly units: number
      readonly isHit: boolean
      readonly isError: boolean
    },
  ): void {
    const sums = this.#sumsOf(caller, call.method)
    this.#sumsOf(caller, restLabel).units -= call.units
    sums.units += call.units
    for (const each of [sums, this.#totalOf(caller)]) {
      each.calls += 1
      each.cacheHits += Number(call.isHit)
      each.errors += Number(call.isError)
    }
  }

  /** Throws CallError `too-many-requests` where its month has no more units. */
  checkMonth(caller: string, perMonth: number | null): void {
    if (perMonth === null || this.monthUnits(caller) < perMonth) return
    const now = new Date(this.#clock.now())
    const retryAfterMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) - now.getTime()
    throw new CallError('too-many-requests', {
      retryAfterMs,
      message: 'the units of this key are spent until the next month',
    })
  }

  /** This UTC month as `2026-11`. */
  month(): string {
    return this.#monthNow().name
  }

  /** In this UTC month. */
  monthUnits(caller: string): number {
    const { own, others } = this.#monthNow()
    return (own.get(caller) ?? 0) + (others.get(caller) ?? 0)
  }

  /** Since the start of this process, by caller. */
  totals(): ReadonlyMap<string, UsageSums> {
    return this.#totals
  }

  /** What this process has counted of a day. */
  own(day: string): DayUsage {
    const days = [...(this.#own.get(day) ?? [])]
    return Object.fromEntries(days.map(([caller, methods]) => [caller, Object.fromEntries(methods)]))
  }

  /** The days of which it has counted something. */
  ownPeriods(): readonly string[] {
    return [...this.#own.keys()]
  }

  /** What each of the others has counted of a day, in place of what was known of them. */
  learn(day: string, usages: readonly DayUsage[]): void {
    this.#others.set(day, sumRows(usages.flatMap((usage) => rowsOf(day, usage))))
    bound(this.#others)
    this.#month.name = ''
  }

  /** All that is known, the newest day first. */
  rows(): readonly UsageRow[] {
    const days = new Set([...this.#own.keys(), ...this.#others.keys()])
    return [...days]
      .toSorted()
      .reverse()
      .flatMap((day) => sumRows([...rowsOf(day, this.own(day)), ...(this.#others.get(day) ?? [])]))
  }

  #sumsOf(caller: string, method: string): Sums {
    const name = this.#today()
    const day = this.#own.get(name) ?? new Map<string, Map<string, Sums>>()
    if (day.size === 0) {
      this.#own.set(name, day)
      bound(this.#own)
    }
    const methods = day.get(caller) ?? new Map<string, Sums>()
    const sums = methods.get(method) ?? empty()
    day.set(caller, methods.set(method, sums))
    return sums
  }

  #totalOf(caller: string): Sums {
    const total = this.#totals.get(caller) ?? empty()
    this.#totals.set(caller, total)
    return total
  }

  #today(): string {
    const number = Math.floor(this.#clock.now() / dayMs)
    if (number !== this.#day.number) this.#day = { number, name: dayOf(number * dayMs) }
    return this.#day.name
  }

  #monthNow() {
    const name = this.#today().slice(0, 7)
    if (this.#month.name === name) return this.#month
    const sum = (days: ReadonlyMap<string, readonly UsageRow[]>) => {
      const units = new Map<string, number>()
      for (const [day, rows] of days)
        if (day.startsWith(name))
          for (const row of rows) units.set(row.caller, (units.get(row.caller) ?? 0) + row.units)
      return units
    }
    const own = new Map([...this.#own.keys()].map((day) => [day, rowsOf(day, this.own(day))]))
    this.#month = { name, own: sum(own), others: sum(this.#others) }
    return this.#month
  }
}

const empty = (): Sums => ({ calls: 0, units: 0, cacheHits: 0, errors: 0 })

/** The UTC day of a moment. */
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

function bound(days: Map<string, unknown>): void {
  const [oldest] = [...days.keys()].toSorted()
  if (days.size > daysMax && oldest !== undefined) days.delete(oldest)
}

/** What one process has counted of a day. */
const rowsOf = (day: string, usage: DayUsage): readonly UsageRow[] =>
  Object.entries(usage).flatMap(([caller, methods]) =>
    Object.entries(methods).map(([method, sums]) => ({ day, caller, method, ...sums })),
  )

/** Rows of one day, added up by caller and method. */
function sumRows(rows: readonly UsageRow[]): readonly UsageRow[] {
  const summed = new Map<string, Sums & { day: string; caller: string; method: string }>()
  for (const { day, caller, method, ...sums } of rows) {
    const key = `${caller} ${method}`
    const row = summed.get(key) ?? { day, caller, method, ...empty() }
    // Tenths, whose sums are not exact.
    for (const name of ['calls', 'units', 'cacheHits', 'errors'] as const)
      row[name] = Math.round((row[name] + sums[name]) * 1e6) / 1e6
    summed.set(key, row)
  }
  return [...summed.values()].filter(({ calls, units }) => calls > 0 || units !== 0)
}
