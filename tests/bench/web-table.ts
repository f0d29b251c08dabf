import { median, quantile } from './load.ts'
import type { Clocked, Load, Work } from './web-page.ts'

export const sides = ['ours', 'rich', 'stock', 'bare'] as const
export type Side = (typeof sides)[number]
export type Turn = Readonly<Record<Side, Load>>
export type Loads = Readonly<Record<'cold' | 'warm', Turn[]>>

/** Milliseconds and bytes. */
export const aims = {
  strangerBytes: 170_000,
  /** More than a bare page's. */
  firstByteMs: 50,
  clickMs: 100,
  slowClickMs: 400,
  paintedClickMs: 100,
  slowPaintedClickMs: 1200,
  largestMs: 2500,
  interactionMs: 200,
} as const

/** Ours over another side's. */
const ratioAims: readonly {
  readonly name: string
  readonly of: keyof Load
  readonly beside: Exclude<Side, 'ours'>
  /** Unthrottled warm and cold, throttled warm and cold; null without an aim. */
  readonly aims: readonly (number | null)[]
}[] = [
  { name: 'first byte / bare', of: 'firstByteMs', beside: 'bare', aims: [2.5] },
  { name: 'first paint / rich stock', of: 'paintMs', beside: 'rich', aims: [1, 1, 1, 1] },
  { name: 'first paint / bare', of: 'paintMs', beside: 'bare', aims: [2] },
  { name: 'connected / stock', of: 'connectedMs', beside: 'stock', aims: [0.55, 0.6, 0.75, 0.45] },
  { name: 'connected / bare hydrated', of: 'connectedMs', beside: 'bare', aims: [] },
  { name: 'address visible / stock', of: 'visibleMs', beside: 'stock', aims: [0.4] },
  { name: 'scripts until quiet / stock', of: 'scriptBytes', beside: 'stock', aims: [null, 0.25, null, 0.25] },
]

export function printSizes(sizes: Readonly<Record<string, number>>): void {
  console.log('\nscripts that the HTML names')
  for (const [name, bytes] of Object.entries(sizes))
    row(name, kB(bytes), name === '/' ? verdict(bytes, aims.strangerBytes, kB) : '')
}

export function printFirstBytes({
  bare,
  ...sites
}: Readonly<Record<Side | 'hung', readonly number[]>>): void {
  const bareMs = median(bare)
  console.log(`\nfirst byte of the page, without a browser (a bare page: ${ms(bareMs)})`)
  const names = { ours: 'ours', hung: 'ours, while every node hangs', stock: 'stock' }
  for (const [site, name] of Object.entries(names)) {
    const found = median(sites[site as keyof typeof sites])
    row(name, ms(found), site === 'stock' ? '' : verdict(found - bareMs, aims.firstByteMs, moreThanBare))
  }
}

/** Ratios are those of each turn: their median, and the quartiles in brackets. */
export function printLoads(title: string, loads: Loads): void {
  for (const cache of ['warm', 'cold'] as const) {
    const found = loads[cache]
    console.log(`\na visitor who returns, ${cache} cache, ${title}: ours, beside, ratio`)
    const column = (title === 'unthrottled' ? 0 : 2) + (cache === 'warm' ? 0 : 1)
    for (const { name, of, beside, aims } of ratioAims) {
      const text = name.startsWith('scripts') ? kB : ms
      const middle = (side: Side) => median(found.map((turn) => turn[side][of]))
      if (middle(beside) === 0) continue
      const ratios = found.map((turn) => turn.ours[of] / turn[beside][of])
      const ratio = median(ratios)
      const quartiles = [0.25, 0.75].map((part) => quantile(ratios, part).toFixed(2)).join(' to ')
      const measured = `${text(middle('ours'))}, ${text(middle(beside))}, ${ratio.toFixed(2)} (${quartiles})`
      const aim = aims[column]
      row(name, measured, aim === undefined || aim === null ? '' : verdict(ratio, aim, String))
    }
    const requests = median(found.map(({ ours }) => ours.requests))
    row('requests, of them to others', `${requests}, ${median(found.map(({ ours }) => ours.elsewhere))}`)
    row('layout shift, worst', Math.max(...found.map(({ ours }) => ours.shift)).toFixed(4))
  }
}

export function printCosts(costs: Readonly<Record<Side, number>>): void {
  console.log('\nthe server, processor time of a page and pages a second per core')
  for (const side of sides)
    row(side, `${(costs[side] / 1000).toFixed(1)} ms, ${Math.round(1e6 / costs[side])}`)
}

export function printWork(side: Side, work: readonly Work[]): void {
  if (side === sides[0])
    console.log('\nwork of a warm load, from traces: script, style and layout, paint, raster')
  const of = (key: keyof Work) => `${median(work.map((load) => load[key])).toFixed(1)} ms`
  row(side, (['scriptMs', 'styleMs', 'paintMs', 'rasterMs'] as const).map(of).join(', '))
}

export function printVitals(path: string, { largestMs, interactionMs, shift }: Clocked): void {
  if (path === '/')
    console.log(
      '\na phone, 4x CPU slowdown, slow 4G: largest contentful paint, interaction to next paint, shift',
    )
  const isGood = largestMs <= aims.largestMs && interactionMs <= aims.interactionMs
  row(path, `${ms(largestMs)}, ${ms(interactionMs)}, ${shift.toFixed(4)}`, isGood ? 'good' : 'not good')
}

export function printClicks(
  title: string,
  clicks: { readonly painted: number[]; readonly ours: number[]; readonly stock: number[] },
  aim: Readonly<Record<'quiet' | 'painted', number>>,
): void {
  console.log(`\na stranger's first click to the list, ${title}`)
  const [ours, painted] = [median(clicks.ours), median(clicks.painted)]
  row('ours, once the page is quiet', ms(ours), verdict(ours, aim.quiet, ms))
  row('stock, once the page is quiet', ms(median(clicks.stock)))
  row('ours, as soon as it is painted', ms(painted), verdict(painted, aim.painted, ms))
}

function row(name: string, measured: string, aim = ''): void {
  console.log(`${name.padEnd(34)}${measured.padEnd(40)}${aim}`)
}

function verdict(measured: number, aim: number, text: (value: number) => string): string {
  return `<= ${text(aim)}: ${measured <= aim ? 'met' : 'missed'}`
}

const ms = (value: number) => `${Math.round(value)} ms`
const moreThanBare = (value: number) => `${ms(value)} more than the bare page`
const kB = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
