import type { Series } from './snapshot-types.ts'

export type Label = string | number

interface FamilyOptions<Cell> {
  readonly make: () => Cell
  /** Cells at most; whatever comes after is counted together under `_OTHER`, so that no label can fill the memory. */
  readonly seriesMax?: number
}

/** Cells of one metric, by the values of its labels. */
export interface Family<Cell> {
  /** The cell of these label values, made when it is met first. Allocates nothing afterwards. */
  readonly at: (a?: Label, b?: Label, c?: Label) => Cell
  /** Cells under the first label values, by the value of the one that follows. */
  readonly under: (a: Label, b: Label) => ReadonlyMap<Label, Cell>
  /** Every cell with its labels; `read` says what is shown of it. */
  readonly series: <Value>(name: string, read: (cell: Cell) => Value) => readonly Series<Value>[]
}

const other = '_OTHER'

/** Creates an empty family with at most three labels. */
export function createFamily<Cell>(
  labels: readonly string[],
  { make, seriesMax = 10_000 }: FamilyOptions<Cell>,
): Family<Cell> {
  // Maps in maps: a joined key would build a string for every call that is counted.
  const cells = new Map<Label, Map<Label, Map<Label, Cell>>>()
  let size = 0

  const place = (a: Label, b: Label, c: Label): Cell => {
    const byB = cells.get(a) ?? new Map<Label, Map<Label, Cell>>()
    const byC = byB.get(b) ?? new Map<Label, Cell>()
    const cell = byC.get(c) ?? make()
    if (!byC.has(c)) size += 1
    cells.set(a, byB.set(b, byC.set(c, cell)))
    return cell
  }

  return {
    at(a = '', b = '', c = '') {
      const cell = cells.get(a)?.get(b)?.get(c)
      if (cell !== undefined) return cell
      if (size < seriesMax) return place(a, b, c)
      return place(
        labels.length > 0 ? other : '',
        labels.length > 1 ? other : '',
        labels.length > 2 ? other : '',
      )
    },
    under: (a, b) => cells.get(a)?.get(b) ?? new Map<Label, Cell>(),
    series(name, read) {
      const all = []
      for (const [a, byB] of cells)
        for (const [b, byC] of byB)
          for (const [c, cell] of byC) {
            const values = [a, b, c]
            all.push({
              name,
              labels: Object.fromEntries(labels.map((label, index) => [label, String(values[index])])),
              value: read(cell),
            })
          }
      return all
    },
  }
}
