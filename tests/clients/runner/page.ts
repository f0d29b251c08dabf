import { explanations } from './differences.ts'
import type { Trial } from './trial.ts'
import { situations } from './trouble.ts'

/** The tables of docs/clients.md that a run makes, each between its markers. */
const tables = ['counts', 'reasons', 'trouble'] as const
type Table = (typeof tables)[number]

const heads: Readonly<Record<Table, string>> = {
  counts: '| client | steps alike | differ | which (and why, below) |\n|---|---|---|---|',
  reasons: '| | steps | why the gateway answers otherwise than anvil |\n|---|---|---|',
  trouble: '| client | no quorum | rate limit (429) | overload (503) |\n|---|---|---|---|',
}

/** The page with the rows of these trials, and the rows that it had of other clients. */
export function withTrials(page: string, trials: readonly Trial[]): string {
  return tables.reduce((text, table) => {
    const rows = new Map(rowsIn(text, table))
    for (const [name, row] of made(table, trials)) rows.set(name, row)
    const sorted = table === 'reasons' ? [...rows] : [...rows].sort(([a], [b]) => a.localeCompare(b, 'en'))
    return between(text, table, [heads[table], ...sorted.map(([, row]) => row)].join('\n'))
  }, page)
}

/** Explanations that no client needs, those of the page among them who did not run. */
export function idleExplanations(page: string, trials: readonly Trial[]): readonly string[] {
  const used = new Set(trials.flatMap(({ differing }) => [...differing.values()].flat()))
  const others = rowsIn(page, 'counts').filter(([name]) => !trials.some((trial) => trial.name === name))
  const named = others.map(([, row]) => row).join('\n')
  return explanations
    .filter(
      (_, index) => !used.has(index) && !new RegExp(`\\([\\d, ]*\\b${index + 1}\\b[\\d, ]*\\)`).test(named),
    )
    .map(({ steps, why }) => `${steps.join(', ')}: ${why}`)
}

function made(table: Table, trials: readonly Trial[]): readonly (readonly [string, string])[] {
  if (table === 'reasons')
    return explanations.map(({ steps, why }, index) => {
      const named = steps.map((step) => `\`${step}\``).join(', ')
      return [String(index + 1), line([String(index + 1), named, why])]
    })
  return trials.map((trial) => {
    const { name, same, differing, shown } = trial
    if (table === 'trouble') return [name, line([name, ...situations.map((situation) => shown[situation])])]
    const which = [...differing].map(
      ([step, rows]) => `\`${step}\` (${rows.map((row) => row + 1).join(', ')})`,
    )
    return [name, line([name, String(same), String(differing.size), which.join(', ')])]
  })
}

const line = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

/** Each row of a table with its first cell. */
function rowsIn(page: string, table: Table): readonly (readonly [string, string])[] {
  return inside(page, table)
    .split('\n')
    .slice(2)
    .map((row) => [row.split(' | ')[0]?.slice(2) ?? '', row])
}

const marks = (table: Table) =>
  [`<!-- made by npm run clients: ${table} -->\n`, `\n<!-- end of ${table} -->`] as const

function inside(page: string, table: Table): string {
  const [from, to] = marks(table)
  const start = page.indexOf(from)
  const end = page.indexOf(to)
  if (start === -1 || end < start) throw new Error(`docs/clients.md has no place for the table ${table}`)
  return page.slice(start + from.length, end)
}

function between(page: string, table: Table, text: string): string {
  const old = inside(page, table)
  const at = page.indexOf(marks(table)[0]) + marks(table)[0].length
  return page.slice(0, at) + text + page.slice(at + old.length)
}
