import type { Report, Run } from './report.ts'

const colours = ['#0a7d5a', '#b4470f', '#3559c7', '#8a2f8f', '#666', '#a08000']
const width = 720
const height = 220
const left = 56

interface Line {
  readonly name: string
  readonly points: readonly (readonly [number, number])[]
}

/** One file with the plots of one report, or of two side by side; it loads nothing. */
export function page(reports: readonly Report[]): string {
  const runs = reports.flatMap((report, at) =>
    report.runs.map((run) => ({ ...run, name: reports.length > 1 ? `${'AB'[at]} ${run.name}` : run.name })),
  )
  const perSecond = (of: (second: Run['seconds'][number]) => number | null) =>
    runs.map(({ name, seconds }) => ({
      name,
      points: seconds.flatMap((second, at): [number, number][] => {
        const value = of(second)
        return value === null ? [] : [[at, value]]
      }),
    }))
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Load: ${text(reports[0]?.scenario ?? '')}</title>
<style>body{font:15px/1.5 system-ui,sans-serif;max-width:860px;margin:2rem auto;padding:0 1rem;color:#1c1c1c}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;display:block;overflow-x:auto}td,th{padding:.2rem .7rem;text-align:right;border-bottom:1px solid #ddd}
td:first-child,th:first-child{text-align:left}svg{max-width:100%;height:auto}h2{font-size:1rem;margin:1.8rem 0 .3rem}text{font-size:11px;fill:#555}</style>
<h1>Load: ${text(reports[0]?.scenario ?? '')}</h1>
${reports.map((report, at) => `<p>${reports.length > 1 ? `${'AB'[at]}: ` : ''}${text(report.startedAt)}, ${text(report.urls.join(', '))}, seed ${report.seed}</p>`).join('')}
${table(runs)}
<h2>Time of an answer by percentile, ms</h2>${plot(runs.map(byPercentile), { ticks: percentTicks, log: true })}
<h2>Good answers a second</h2>${plot(perSecond(({ good }) => good))}
<h2>Failures a second</h2>${plot(perSecond(({ failed }) => failed))}
<h2>p99 of each second, ms</h2>${plot(
    perSecond(({ p99 }) => p99),
    { log: true },
  )}
<p>Times run from when a request was due on the schedule to the end of its answer, so that waiting for a slow server counts.</p></html>
`
}

const shares = { p50: 0.5, p90: 0.9, p99: 0.99, p999: 0.999 } as const
const nines = (share: number) => -Math.log10(1 - share)
const percentTicks: readonly (readonly [number, string])[] = Object.values(shares).map((share) => [
  nines(share),
  `${Math.round(share * 1000) / 10} %`,
])

function byPercentile({ name, latencyMs }: Run): Line {
  const points = Object.entries(shares).flatMap(([key, share]): [number, number][] => {
    const ms = latencyMs[key as keyof typeof shares]
    return ms === null ? [] : [[nines(share), ms]]
  })
  return { name, points }
}

function table(runs: readonly Run[]): string {
  const rows = runs.map(
    ({ name, perSecondWanted, sent, good, perSecond, latencyMs, refusedMs, unsentMs, requestsPerCall }) => {
      const { p50, p99, p999 } = latencyMs
      const due = perSecondWanted ?? 'at once'
      const cells = [
        name,
        due,
        sent,
        good,
        perSecond,
        p50,
        p99,
        p999,
        refusedMs.p99,
        unsentMs?.p99,
        requestsPerCall,
      ]
      return cells.map((cell) => `<td>${text(String(cell ?? '–'))}`).join('')
    },
  )
  const heads = [
    'run',
    'due/s',
    'sent',
    'good',
    'good/s',
    'p50, ms',
    'p99, ms',
    'p99.9, ms',
    'refused p99, ms',
    'sent late p99, ms',
    'asks/call',
  ]
  return `<table><tr>${heads.map((head) => `<th>${head}`).join('')}<tr>${rows.join('<tr>')}</table>${runs.map(failures).join('')}`
}

function failures({ name, errors }: Run): string {
  const kinds = Object.entries(errors).map(([kind, count]) => `${count} ${kind}`)
  return kinds.length === 0 ? '' : `<p>Failed in ${text(name)}: ${text(kinds.join('; '))}</p>`
}

interface Axes {
  readonly ticks?: readonly (readonly [number, string])[]
  readonly log?: boolean
}

function plot(lines: readonly Line[], { ticks, log = false }: Axes = {}): string {
  const points = lines.flatMap((line) => line.points)
  const xs = points.map(([x]) => x)
  const [from, to] =
    ticks === undefined ? [0, Math.max(1, ...xs)] : [ticks[0]?.[0] ?? 0, ticks.at(-1)?.[0] ?? 1]
  const most = Math.max(1, ...points.map(([, y]) => y)) * 1.1
  const scale = (y: number) => (log ? Math.log10(1 + y) / Math.log10(1 + most) : y / most)
  const at = ([x, y]: readonly [number, number]) =>
    `${(left + ((x - from) / (to - from)) * (width - left - 10)).toFixed(1)},${(height - 24 - scale(y) * (height - 40)).toFixed(1)}`
  const levels = (log ? [1, 3, 10, 30, 100, 300, 1000, 3000, 10_000] : roundLevels(most)).filter(
    (level) => level <= most,
  )
  const grid = levels.map((level) => {
    const y = at([from, level]).split(',')[1]
    return `<line x1="${left}" x2="${width}" y1="${y}" y2="${y}" stroke="#e5e5e5"/><text x="${left - 6}" y="${y}" text-anchor="end">${level.toLocaleString('en')}</text>`
  })
  const labels = (
    ticks ??
    ([
      [from, '0 s'],
      [to, `${Math.round(to)} s`],
    ] as const)
  ).map(
    ([x, label]) =>
      `<text x="${at([x, 0]).split(',')[0]}" y="${height - 6}" text-anchor="middle">${label}</text>`,
  )
  const curves = lines.map(({ points }, index) => {
    const dash = index % 2 === 1 ? ' stroke-dasharray="6 3"' : ''
    return `<polyline fill="none" stroke="${colours[index % colours.length]}" stroke-width="2"${dash} points="${points.map(at).join(' ')}"/>`
  })
  const legend = lines.map(
    ({ name }, index) =>
      `<span style="color:${colours[index % colours.length]};margin-right:1rem">${index % 2 === 1 ? '┅' : '━'} ${text(name)}</span>`,
  )
  return `<div>${legend.join('')}</div><svg viewBox="0 0 ${width + 20} ${height}" role="img">${[...grid, ...labels, ...curves].join('')}</svg>`
}

/** Four to eight of them from 0 on, in steps of 1, 2 or 5 and zeros. */
function roundLevels(most: number): number[] {
  const power = 10 ** Math.floor(Math.log10(most / 4))
  const step = [5, 2, 1].map((part) => part * power).find((size) => most / size >= 4) ?? power
  return Array.from({ length: 9 }, (_, at) => at * step)
}

function text(raw: string): string {
  return raw.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
