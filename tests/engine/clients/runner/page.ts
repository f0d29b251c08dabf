import type { ClientRun } from './client-run.ts'
import { explanations } from './differences.ts'
import type { Listened } from './listening.ts'
import { situations } from './situations.ts'

/** The generated tables of tests/engine/clients/results.md, each between its markers. */
const tables = ['counts', 'reasons', 'trouble', 'subscriptions'] as const
type Table = (typeof tables)[number]

const heads: Readonly<Record<Table, string>> = {
  counts: '| client | steps alike | differ | why (table below) |\n|---|---|---|---|',
  reasons: '| difference | steps | why the gateway answers otherwise than anvil |\n|---|---|---|',
  trouble: '| client | no quorum | rate limit (429) | overload (503) |\n|---|---|---|---|',
  subscriptions: '| client | the gateway restarts (SIGTERM) | it is killed |\n|---|---|---|',
}

/** The page with the rows of these trials, and the existing rows of other clients. */
export function withTrials(
  page: string,
  trials: readonly ClientRun[],
  listened: readonly Listened[] = [],
): string {
  return tables.reduce((text, table) => {
    const rows = new Map(table === 'reasons' ? [] : rowsIn(text, table))
    for (const [name, row] of made(table, trials, listened)) rows.set(name, row)
    const sorted = table === 'reasons' ? [...rows] : [...rows].sort(([a], [b]) => a.localeCompare(b, 'en'))
    return between(text, table, [heads[table], ...sorted.map(([, row]) => row)].join('\n'))
  }, page)
}

/** Explanations that no client needs, including clients on the page that did not run. */
export function idleExplanations(page: string, trials: readonly ClientRun[]): readonly string[] {
  const others = rowsIn(page, 'counts').filter(([name]) => !trials.some((trial) => trial.name === name))
  const used = new Set([
    ...trials.flatMap(({ explained }) => explained),
    ...others.flatMap(([, row]) => row.split(' | ').at(-1)?.replace(' |', '').split(', ') ?? []),
  ])
  return explanations.map(({ name }) => name).filter((name) => !used.has(name))
}

function made(
  table: Table,
  trials: readonly ClientRun[],
  listened: readonly Listened[],
): readonly (readonly [string, string])[] {
  if (table === 'subscriptions') return listened.map(({ name, shown }) => [name, line([name, ...shown])])
  if (table === 'reasons')
    return explanations.map(({ name, steps, why }) => {
      const named = steps.map((step) => `\`${step}\``).join(', ')
      return [name, line([name, named, why])]
    })
  if (table === 'counts')
    return trials.map(({ name, same, differing, explained }) => [
      name,
      line([name, String(same), String(differing), explained.join(', ')]),
    ])
  return trials.flatMap(({ name, shown }) =>
    shown === null ? [] : [[name, line([name, ...situations.map((situation) => shown[situation])])] as const],
  )
}

const line = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

/** The rows of a table by their first cell. */
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
  if (start === -1 || end < start)
    throw new Error(`tests/engine/clients/results.md has no place for the table ${table}`)
  return page.slice(start + from.length, end)
}

function between(page: string, table: Table, text: string): string {
  const old = inside(page, table)
  const at = page.indexOf(marks(table)[0]) + marks(table)[0].length
  return page.slice(0, at) + text + page.slice(at + old.length)
}
