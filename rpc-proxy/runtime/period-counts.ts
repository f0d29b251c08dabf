/** What was counted, by two keys and a name. */
export type Counts = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, number>>>>>>

/** Amounts by name; what is missing is 0. */
export type CountsRow = Map<string, number>

/** Rows by two keys. */
type Table = Map<string, Map<string, CountsRow>>
type ByPeriod = Map<number, Table>

interface PeriodCountsOptions {
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly names: ReadonlySet<string>
  readonly periodMs: number
  readonly periodsMax: number
}

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

/** Counts by UTC day, as `2026-11-27`, or hour, as `2026-11-27T14`: here, and what other processes and earlier ones tell of. */
export class PeriodCounts {
  readonly #options: PeriodCountsOptions
  readonly #own: ByPeriod = new Map()
  readonly #others: ByPeriod = new Map()
  /** Since the start of this process. */
  readonly #totals: Table = new Map()
  #version = 0
  #sinceMs: number

  constructor(options: PeriodCountsOptions) {
    this.#options = options
    this.#sinceMs = this.#periodAt(options.now()) * options.periodMs
  }

  add(first: string, second: string, name: string, amount: number): void {
    const period = this.#periodAt(this.#options.now())
    const table = this.#own.get(period) ?? this.#put(this.#own, period, new Map())
    addTo(rowAt(table, first, second), name, amount)
    addTo(rowAt(this.#totals, first, second), name, amount)
  }

  /** What this process has counted in a period. */
  own(name: string): Counts {
    return countsOf([this.#own.get(this.#periodOf(name))])
  }

  /** What all have counted in a period. */
  all(name: string): Counts {
    const period = this.#periodOf(name)
    return countsOf([this.#own.get(period), this.#others.get(period)])
  }

  /** The periods in which this process has counted something, the newest first. */
  ownPeriods(): readonly string[] {
    return this.recent().filter((name) => this.#own.has(this.#periodOf(name)))
  }

  /** The periods of which something is known, the newest first. */
  allPeriods(): readonly string[] {
    const sources = [this.#own, this.#others]
    return this.recent().filter((name) => sources.some((source) => source.has(this.#periodOf(name))))
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
    const before = countsOf([this.#others.get(period)])
    const table: Table = new Map()
    for (const counts of all)
      for (const [first, bySecond] of Object.entries(counts))
        for (const [second, amounts] of Object.entries(bySecond))
          for (const [each, amount] of Object.entries(amounts))
            if (this.#options.names.has(each) && Number.isFinite(amount))
              addTo(rowAt(table, first, second), each, amount)
    if (all.length > 0) this.#sinceMs = Math.min(this.#sinceMs, period * this.#options.periodMs)
    if (JSON.stringify(countsOf([table])) === JSON.stringify(before)) return
    this.#put(this.#others, period, table)
    this.#version += 1
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
  sinceStart(): Iterable<readonly [first: string, second: string, total: CountsRow]> {
    return rowsOf(this.#totals)
  }

  total(first: string, second: string, name: string): number {
    return this.#totals.get(first)?.get(second)?.get(name) ?? 0
  }

  /** Of all processes: the period in which `fromMs` lies, and all that have begun since. */
  *between(first: string, second: string, fromMs: number, toMs: number): Iterable<CountsRow> {
    const { now, periodMs, periodsMax } = this.#options
    const end = Math.min(Math.ceil(toMs / periodMs), this.#periodAt(now()) + 1)
    const begin = Math.max(this.#periodAt(fromMs), end - periodsMax)
    for (const source of [this.#own, this.#others])
      for (let period = begin; period < end; period++) {
        const row = source.get(period)?.get(first)?.get(second)
        if (row !== undefined) yield row
      }
  }

  /** Sums of all processes by the first key, from the period that contains `fromMs` until now. */
  sums(name: string, fromMs: number): Map<string, number> {
    const begin = this.#periodAt(fromMs)
    const sums = new Map<string, number>()
    for (const [period, table] of [...this.#own, ...this.#others])
      if (period >= begin) for (const [first, , row] of rowsOf(table)) addTo(sums, first, row.get(name) ?? 0)
    return sums
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

  #put(all: ByPeriod, period: number, table: Table): Table {
    all.set(period, table)
    if (all.size > this.#options.periodsMax) all.delete(Math.min(...all.keys()))
    return table
  }
}

export function addTo(row: CountsRow, name: string, amount: number): void {
  row.set(name, (row.get(name) ?? 0) + amount)
}

function rowAt(table: Table, first: string, second: string): CountsRow {
  const bySecond = table.get(first) ?? new Map<string, CountsRow>()
  const row = bySecond.get(second) ?? new Map<string, number>()
  if (row.size === 0) table.set(first, bySecond.set(second, row))
  return row
}

function* rowsOf(table: Table): Iterable<readonly [first: string, second: string, row: CountsRow]> {
  for (const [first, bySecond] of table) for (const [second, row] of bySecond) yield [first, second, row]
}

/** Without zeros. */
function countsOf(tables: readonly (Table | undefined)[]): Counts {
  const counts: Record<string, Record<string, Record<string, number>>> = {}
  for (const table of tables)
    for (const [first, second, row] of rowsOf(table ?? new Map())) {
      counts[first] ??= {}
      counts[first][second] ??= {}
      const sums = counts[first][second]
      // Tenths, whose sums are not exact.
      for (const [name, amount] of row) if (amount !== 0) sums[name] = rounded((sums[name] ?? 0) + amount)
    }
  return counts
}

export const rounded = (sum: number): number => Math.round(sum * 1e6) / 1e6
