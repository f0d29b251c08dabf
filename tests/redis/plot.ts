/** One call that ended. Times are milliseconds since the beginning. */
export interface Sample {
  readonly atMs: number
  readonly tookMs: number
}

/** What happened, from when to when. */
export interface Happening {
  readonly name: string
  readonly fromMs: number
  readonly toMs: number
}

const [width, height, left, gap] = [960, 150, 56, 30]
const stepMs = 250

/** Calls per second and p99 over time, with what happened as bands: an SVG text that reads in a light and a dark page. */
export function plotOf(samples: readonly Sample[], happenings: readonly Happening[]): string {
  const startMs = Math.min(...happenings.map(({ fromMs }) => fromMs))
  const endMs = Math.max(...happenings.map(({ toMs }) => toMs))
  const x = (ms: number) => left + ((width - left) * (ms - startMs)) / (endMs - startMs)
  const steps = Array.from({ length: Math.ceil((endMs - startMs) / stepMs) }, (_, step) => {
    const own = samples
      .filter(({ atMs }) => Math.floor((atMs - startMs) / stepMs) === step)
      .map(({ tookMs }) => tookMs)
    own.sort((a, b) => a - b)
    return {
      ms: startMs + (step + 0.5) * stepMs,
      calls: own.length * (1000 / stepMs),
      p99: own[Math.floor(own.length * 0.99)] ?? null,
    }
  })
  const top = gap
  const below = top + height + gap
  const panels = [
    panel(
      'calls/s',
      steps.map(({ ms, calls }) => [x(ms), calls]),
      top,
    ),
    panel(
      'p99, ms',
      steps.flatMap(({ ms, p99 }) => (p99 === null ? [] : [[x(ms), p99]])),
      below,
    ),
  ]
  const bands = happenings.map(({ fromMs, toMs }, index) => {
    const shade = `<rect x="${round(x(fromMs))}" y="${top}" width="${round(x(toMs) - x(fromMs))}" height="${2 * height + gap}" fill="#888" opacity="${index % 2 ? 0.08 : 0.18}"/>`
    return `${shade}<text x="${round((x(fromMs) + x(toMs)) / 2)}" y="${top - 8}" text-anchor="middle">${index + 1}</text>`
  })
  const legend = happenings.map(
    ({ name }, index) =>
      `<text x="${left + (index % 3) * 300}" y="${below + height + 24 + 16 * Math.floor(index / 3)}">${index + 1} ${name}</text>`,
  )
  const total = below + height + 24 + 16 * Math.ceil(happenings.length / 3)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width + 10} ${total}" font-family="sans-serif" font-size="12" fill="#777"><title>Calls per second and p99 while things happen to three replicas and their Redis</title>${bands.join('')}${panels.join('')}${legend.join('')}</svg>\n`
}

function panel(name: string, points: readonly (readonly number[])[], top: number): string {
  const most = Math.max(...points.map(([, value]) => value ?? 0))
  const y = (value: number) => round(top + height - (height * value) / most)
  const line = points.map(([at, value]) => `${round(at ?? 0)},${y(value ?? 0)}`).join(' ')
  return `<line x1="${left}" x2="${width}" y1="${top + height}" y2="${top + height}" stroke="#888"/><text x="0" y="${top + 10}">${Math.round(most)}</text><text x="0" y="${top + height / 2}">${name}</text><text x="0" y="${top + height}">0</text><polyline points="${line}" fill="none" stroke="#2a7de1" stroke-width="1.5"/>`
}

const round = (value: number) => Math.round(value * 10) / 10
