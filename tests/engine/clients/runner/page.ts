import type { ClientRun } from './client-run.ts'
import { explanations } from './differences.ts'
import type { Listened } from './listening.ts'
import { situations } from './situations.ts'

type Row = readonly [name: string, ...cells: string[]]
interface Table {
  readonly head: string
  readonly rows: (trials: readonly ClientRun[], listened: readonly Listened[]) => readonly Row[]
}

/** The generated tables of tests/engine/clients/results.md, each between its markers. */
const tables: Readonly<Record<'counts' | 'reasons' | 'trouble' | 'subscriptions', Table>> = {
  counts: {
    head: '| client | steps alike | differ | why (table below) |\n|---|---|---|---|',
    rows: (trials) =>
      trials.map(({ name, same, differing, explained }) => [
        name,
        String(same),
        String(differing),
        explained.join(', '),
      ]),
  },
  reasons: {
    head: '| difference | steps | why the gateway answers otherwise than anvil |\n|---|---|---|',
    rows: () =>
      Object.entries(explanations).map(([name, { steps, why }]) => [
        name,
        steps.map((step) => `\`${step}\``).join(', '),
        why,
      ]),
  },
  trouble: {
    head: '| client | no quorum | rate limit (429) | overload (503) |\n|---|---|---|---|',
    rows: (trials) =>
      trials.flatMap(({ name, shown }) =>
        shown === null ? [] : [[name, ...situations.map((situation) => shown[situation])]],
      ),
  },
  subscriptions: {
    head: '| client | the gateway restarts (SIGTERM) | it is killed |\n|---|---|---|',
    rows: (_, listened) => listened.map(({ name, shown }) => [name, ...shown]),
  },
}
type TableName = keyof typeof tables

/** The page with the rows of these trials, and the existing rows of other clients. */
export function withTrials(
  page: string,
  trials: readonly ClientRun[],
  listened: readonly Listened[] = [],
): string {
  return (Object.keys(tables) as TableName[]).reduce((text, table) => {
    const { head, rows: rowsOf } = tables[table]
    const rows = new Map(table === 'reasons' ? [] : rowsIn(text, table))
    for (const row of rowsOf(trials, listened)) rows.set(row[0], line(row))
    const sorted = table === 'reasons' ? [...rows] : [...rows].sort(([a], [b]) => a.localeCompare(b, 'en'))
    const { before, after } = split(text, table)
    return before + [head, ...sorted.map(([, row]) => row)].join('\n') + after
  }, page)
}

/** Explanations that no client needs, including clients on the page that did not run. */
export function idleExplanations(page: string, trials: readonly ClientRun[]): readonly string[] {
  const others = rowsIn(page, 'counts').filter(([name]) => !trials.some((trial) => trial.name === name))
  const used = new Set([
    ...trials.flatMap(({ explained }) => explained),
    ...others.flatMap(([, row]) => row.split(' | ').at(-1)?.replace(' |', '').split(', ') ?? []),
  ])
  return Object.keys(explanations).filter((name) => !used.has(name))
}

const line = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

/** The rows of a table by their first cell. */
function rowsIn(page: string, table: TableName): readonly (readonly [string, string])[] {
  const rows = split(page, table).text.split('\n').slice(2)
  return rows.map((row) => [row.split(' | ')[0]?.slice(2) ?? '', row])
}

/** The text of a table, and the page before and after it. */
function split(page: string, table: TableName) {
  const from = `<!-- made by npm run clients: ${table} -->\n`
  const to = `\n<!-- end of ${table} -->`
  const [before, rest = ''] = page.split(from)
  const [text = '', after] = rest.split(to)
  if (after === undefined)
    throw new Error(`tests/engine/clients/results.md has no place for the table ${table}`)
  return { before: before + from, text, after: to + after }
}
