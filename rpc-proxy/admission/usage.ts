import type { Clock } from '../runtime/clock.ts'
import { CallError } from '../runtime/errors.ts'
import { dayMs, PeriodCounts, rounded } from '../runtime/period-counts.ts'

const names = ['calls', 'units', 'cacheHits', 'errors'] as const

/** What a caller with a key did by one method in a day. */
export type UsageSums = Readonly<Record<(typeof names)[number], number>>

export interface UsageRow extends UsageSums {
  readonly day: string
  readonly caller: string
  readonly method: string
}

const none: UsageSums = { calls: 0, units: 0, cacheHits: 0, errors: 0 }

/** Days that are kept: this month and the one before have no more. */
const daysMax = 62
/** Units that no single call has cost: long answers, refusals, blocks read for a filter. */
const restLabel = '_OTHER'

/** What callers with keys have used by day and method, of all processes that share a store. */
export class Usage extends PeriodCounts {
  readonly #clock: Pick<Clock, 'now'>
  /** Units of the current month by caller, summed again when it begins and when other processes tell of theirs. */
  #month = { name: '', version: 0, units: new Map<string, number>() }

  /** The highest total that was returned for each caller. */
  readonly #highestUnits = new Map<string, number>()

  constructor(clock: Pick<Clock, 'now'>) {
    super({ now: () => clock.now(), names: new Set(names), periodMs: dayMs, periodsMax: daysMax })
    this.#clock = clock
  }

  /** Has spent so much of its budget; a negative amount was given back. */
  spend(caller: string, units: number): void {
    // Before it is counted by day, from which a new month is summed.
    const { units: ofMonth } = this.#monthNow()
    this.add(caller, restLabel, 'units', units)
    ofMonth.set(caller, (ofMonth.get(caller) ?? 0) + units)
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
    this.add(caller, restLabel, 'units', -call.units)
    this.add(caller, call.method, 'units', call.units)
    this.add(caller, call.method, 'calls', 1)
    this.add(caller, call.method, 'cacheHits', Number(call.isHit))
    this.add(caller, call.method, 'errors', Number(call.isError))
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
    return this.#monthNow().units.get(caller) ?? 0
  }

  /** Totals since the start of this process, by caller. They never decrease: after a refund, a total stays until it is exceeded. */
  totals(): ReadonlyMap<string, UsageSums> {
    const totals = new Map<string, UsageSums>()
    for (const [caller, , row] of this.sinceStart()) {
      const known = totals.get(caller) ?? none
      const sums = names.map((name) => [name, rounded(known[name] + (row.get(name) ?? 0))])
      totals.set(caller, Object.fromEntries(sums))
    }
    for (const [caller, sums] of totals) {
      const units = Math.max(sums.units, this.#highestUnits.get(caller) ?? 0)
      this.#highestUnits.set(caller, units)
      totals.set(caller, { ...sums, units })
    }
    return totals
  }

  /** All rows, newest day first. */
  rows(): readonly UsageRow[] {
    return this.allPeriods()
      .flatMap((day) =>
        Object.entries(this.all(day)).flatMap(([caller, methods]) =>
          Object.entries(methods).map(([method, sums]) => ({ day, caller, method, ...none, ...sums })),
        ),
      )
      .filter(({ calls, units }) => calls > 0 || units !== 0)
  }

  #monthNow() {
    const name = new Date(this.#clock.now()).toISOString().slice(0, 7)
    const version = this.version()
    if (this.#month.name !== name || this.#month.version !== version) {
      this.#month = { name, version, units: this.sums('units', Date.parse(`${name}-01`)) }
    }
    return this.#month
  }
}
