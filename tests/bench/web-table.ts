import type { Load } from './web-page.ts'

export type Loads = Readonly<Record<`${'cold' | 'warm'} ${'ours' | 'stock'}`, Load[]>>

/** Ours over stock's, and milliseconds. */
export const aims = {
  visible: 0.5,
  connected: 0.6,
  wakeUp: 0.6,
  paint: 1,
  bytes: 0.25,
  strangerBytes: 175_000,
  /** More than a bare page's. */
  firstByteMs: 50,
  clickMs: 100,
  slowClickMs: 400,
} as const

export function printSizes(sizes: Readonly<Record<string, number>>): void {
  console.log('\nscripts that the HTML names')
  for (const [name, bytes] of Object.entries(sizes))
    row(name, kB(bytes), name === '/' ? verdict(bytes, aims.strangerBytes, kB) : '')
}

export function printFirstBytes({
  bare,
  ...sites
}: Readonly<Record<'ours' | 'hung' | 'stock' | 'bare', readonly number[]>>): void {
  const bareMs = median(bare)
  console.log(`\nfirst byte of the page, without a browser (a bare page: ${ms(bareMs)})`)
  const names = { ours: 'ours', hung: 'ours, while every node hangs', stock: 'stock' }
  for (const [site, name] of Object.entries(names)) {
    const found = median(sites[site as keyof typeof sites])
    row(name, ms(found), site === 'stock' ? '' : verdict(found - bareMs, aims.firstByteMs, moreThanBare))
  }
}

export function printLoads(title: string, loads: Loads): void {
  for (const cache of ['cold', 'warm'] as const) {
    console.log(`\na visitor who returns, ${cache} cache, ${title}: ours, stock, ours/stock`)
    const ours = loads[`${cache} ours`]
    const stock = loads[`${cache} stock`]
    const compare = (name: string, of: (load: Load) => number, aim?: number, text = ms) => {
      const [a, b] = [median(ours.map(of)), median(stock.map(of))]
      const ratio = b === 0 ? Number.NaN : a / b
      row(
        name,
        `${text(a)}, ${text(b)}, ${ratio.toFixed(2)}`,
        aim === undefined ? '' : verdict(ratio, aim, String),
      )
    }
    compare('first byte', ({ firstByteMs }) => firstByteMs)
    compare('first paint', ({ firstPaintMs }) => firstPaintMs, aims.paint)
    compare('address visible', ({ visibleMs }) => visibleMs, aims.visible)
    compare('connected', ({ connectedMs }) => connectedMs, aims.connected)
    if (cache === 'cold') compare('scripts until quiet', ({ scriptBytes }) => scriptBytes, aims.bytes, kB)
    compare('requests', ({ requests }) => requests, undefined, String)
    compare('of them to others', ({ elsewhere }) => elsewhere, undefined, String)
    compare(
      'layout shift, worst',
      ({ shift }) => shift,
      undefined,
      (value) => value.toFixed(4),
    )
  }
}

export function printClicks(
  title: string,
  clicks: { readonly painted: number[]; readonly ours: number[]; readonly stock: number[] },
  aim: number,
): void {
  console.log(`\na stranger's first click to the list, ${title}`)
  row('ours, once the page is quiet', ms(median(clicks.ours)), verdict(median(clicks.ours), aim, ms))
  row('stock, once the page is quiet', ms(median(clicks.stock)))
  row('ours, as soon as it is painted', ms(median(clicks.painted)), verdict(median(clicks.painted), aim, ms))
}

export function printSends(title: string, sends: readonly number[]): void {
  console.log(`\na press on Send until its form is there, connected and quiet, ${title}`)
  row('ours', ms(median(sends)))
}

export function printWakeUps({ ours, stock }: Readonly<Record<'ours' | 'stock', readonly number[]>>): void {
  console.log(
    '\na visitor who returns with a real extension whose service worker sleeps: ours, stock, ours/stock',
  )
  const [a, b] = [median(ours), median(stock)]
  row('connected', `${ms(a)}, ${ms(b)}, ${(a / b).toFixed(2)}`, verdict(a / b, aims.wakeUp, String))
}

function row(name: string, measured: string, aim = ''): void {
  console.log(`${name.padEnd(34)}${measured.padEnd(34)}${aim}`)
}

function verdict(measured: number, aim: number, text: (value: number) => string): string {
  return `<= ${text(aim)}: ${measured <= aim ? 'met' : 'missed'}`
}

function moreThanBare(value: number): string {
  return `${ms(value)} more than the bare page`
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}

function ms(value: number): string {
  return `${Math.round(value)} ms`
}

function kB(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}
