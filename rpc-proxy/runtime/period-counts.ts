/** What was counted, by two keys and a name. */
export type Counts = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, number>>>>>>

/** A number for each name, by its place in the list. */
export type CountsRow = Float64Array

interface Rows {
  readonly byPeriod: Map<number, CountsRow>
  /** Since the start of this process. */
  readonly total: CountsRow
}
type ByKeys = Map<string, Map<string, Rows>>

interface PeriodCountsOptions {
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly names: readonly string[]
  readonly periodMs: number
  readonly periodsMax: number
  /** Whether counts that are told name what is zero. */
  readonly zeros: 'named' | 'left out'
}

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

/** Counts by UTC day, as `2026-11-27`, or hour, as `2026-11-27T14`: here, and what other processes and earlier ones tell of. */
export class PeriodCounts {
  readonly #options: PeriodCountsOptions
  readonly #placeOf: ReadonlyMap<string, number>
  readonly #own: ByKeys = new Map()
  readonly #others: ByKeys = new Map()
  #version = 0
  #sinceMs: number

  constructor(options: PeriodCountsOptions) {
    this.#options = options
    this.#placeOf = new Map(options.names.map((name, place) => [name, place]))
    this.#sinceMs = this.#periodAt(options.now()) * options.periodMs
  }

  add(first: string, second: string, place: number, amount: number): void {
    const rows = this.#own.get(first)?.get(second) ?? this.#rowsOf(this.#own, first, second)
    const row = this.#rowAt(rows, this.#periodAt(this.#options.now()))
    row[place] = (row[place] as number) + amount
    rows.total[place] = (rows.total[place] as number) + amount
  }

  /** What this process has counted in a period. */
  own(period: string): Counts {
    return this.#countsOf(period, [this.#own])
  }

  /** What all have counted in a period. */
  all(period: string): Counts {
    return this.#countsOf(period, [this.#own, this.#others])
  }

  /** The periods in which this process has counted something, the newest first. */
  ownPeriods(): readonly string[] {
    return this.#periodsOf([this.#own])
  }

  /** The periods of which something is known, the newest first. */
  allPeriods(): readonly string[] {
    return this.#periodsOf([this.#own, this.#others])
  }

  /** The last periods, this one first: all that are kept, or fewer. */
  recent(most = this.#options.periodsMax): readonly string[] {
    const period = this.#periodAt(this.#options.now())
    return Array.from({ length: most }, (_, ago) => this.#nameOf(period - ago))
  }

  /** What all others have counted in a period, in place of what was known of them. Names that are not ours are ignored. */
  learn(name: string, all: readonly Counts[]): void {
    const period = this.#periodOf(name)
    if (!Number.isInteger(period)) return
    const before = JSON.stringify(this.#countsOf(name, [this.#others]))
    for (const [, , { byPeriod }] of allOf(this.#others)) byPeriod.delete(period)
    for (const counts of all)
      for (const [first, bySecond] of Object.entries(counts))
        for (const [second, amounts] of Object.entries(bySecond)) {
          const row = this.#rowAt(this.#rowsOf(this.#others, first, second), period)
          for (const [each, amount] of Object.entries(amounts)) {
            const place = this.#placeOf.get(each)
            if (place !== undefined && Number.isFinite(amount)) row[place] = (row[place] as number) + amount
          }
        }
    if (all.length > 0) this.#sinceMs = Math.min(this.#sinceMs, period * this.#options.periodMs)
    if (JSON.stringify(this.#countsOf(name, [this.#others])) !== before) this.#version += 1
  }

  /** Changes when the counts of other processes change. */
  version(): number {
    return this.#version
  }

  /** The beginning of what is known, epoch milliseconds. */
  sinceMs(): number {
    const { now, periodMs, periodsMax } = this.#options
    return Math.max(this.#sinceMs, now() - periodsMax * periodMs)
  }

  /** What this process has counted since its start. */
  *sinceStart(): Iterable<readonly [first: string, second: string, total: CountsRow]> {
    for (const [first, second, { total }] of allOf(this.#own)) yield [first, second, total]
  }

  total(first: string, second: string, place: number): number {
    return this.#own.get(first)?.get(second)?.total[place] ?? 0
  }

  /** Of all processes: the period in which `fromMs` lies, and all that have begun since. */
  *between(first: string, second: string, fromMs: number, toMs: number): Iterable<CountsRow> {
    const { now, periodMs, periodsMax } = this.#options
    const end = Math.min(Math.ceil(toMs / periodMs), this.#periodAt(now()) + 1)
    const begin = Math.max(this.#periodAt(fromMs), end - periodsMax)
    for (const source of [this.#own, this.#others]) {
      const byPeriod = source.get(first)?.get(second)?.byPeriod
      for (let period = begin; byPeriod !== undefined && period < end; period++) {
        const row = byPeriod.get(period)
        if (row !== undefined) yield row
      }
    }
  }

  /** Sums of all processes by the first key, from the period that contains `fromMs` until now. */
  sums(place: number, fromMs: number): Map<string, number> {
    const begin = this.#periodAt(fromMs)
    const sums = new Map<string, number>()
    for (const source of [this.#own, this.#others])
      for (const [first, , { byPeriod }] of allOf(source))
        for (const [period, row] of byPeriod)
          if (period >= begin) sums.set(first, (sums.get(first) ?? 0) + (row[place] as number))
    return sums
  }

  #countsOf(period: string, sources: readonly ByKeys[]): Counts {
    const { names, zeros } = this.#options
    const counts: Record<string, Record<string, Record<string, number>>> = {}
    for (const source of sources)
      for (const [first, second, { byPeriod }] of allOf(source)) {
        const row = byPeriod.get(this.#periodOf(period))
        if (row === undefined) continue
        counts[first] ??= {}
        counts[first][second] ??= {}
        const sums = counts[first][second]
        // Tenths, whose sums are not exact.
        for (const [place, name] of names.entries())
          if (zeros === 'named' || row[place] !== 0)
            sums[name] = rounded((sums[name] ?? 0) + (row[place] as number))
      }
    return counts
  }

  #periodsOf(sources: readonly ByKeys[]): readonly string[] {
    const periods = new Set<string>()
    for (const source of sources)
      for (const [, , { byPeriod }] of allOf(source))
        for (const period of byPeriod.keys()) periods.add(this.#nameOf(period))
    return this.recent().filter((period) => periods.has(period))
  }

  #nameOf(period: number): string {
    const { periodMs } = this.#options
    return new Date(period * periodMs).toISOString().slice(0, periodMs === dayMs ? 10 : 13)
  }

  #periodOf(name: string): number {
    return Date.parse(name.length > 10 ? `${name}:00:00Z` : name) / this.#options.periodMs
  }

  #periodAt(ms: number): number {
    return Math.floor(ms / this.#options.periodMs)
  }

  #rowsOf(all: ByKeys, first: string, second: string): Rows {
    const bySecond = all.get(first) ?? new Map<string, Rows>()
    const total = new Float64Array(this.#options.names.length)
    const rows = bySecond.get(second) ?? { byPeriod: new Map<number, CountsRow>(), total }
    if (!bySecond.has(second)) all.set(first, bySecond.set(second, rows))
    return rows
  }

  #rowAt({ byPeriod }: Rows, period: number): CountsRow {
    const known = byPeriod.get(period)
    if (known !== undefined) return known
    const row = new Float64Array(this.#options.names.length)
    byPeriod.set(period, row)
    if (byPeriod.size > this.#options.periodsMax) byPeriod.delete(Math.min(...byPeriod.keys()))
    return row
  }
}

function* allOf(all: ByKeys): Iterable<readonly [first: string, second: string, rows: Rows]> {
  for (const [first, bySecond] of all) for (const [second, rows] of bySecond) yield [first, second, rows]
}

export const rounded = (sum: number): number => Math.round(sum * 1e6) / 1e6
