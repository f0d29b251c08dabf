import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, devices } from '@playwright/test'
import { defaultVoters } from '../../demo/default-nodes.ts'
import { startStage } from '../../demo/stage.ts'
import { ensureBrowser, findChromium } from '../../scripts/bootstrap/browser.mjs'
import { checkBuild } from '../../scripts/check-build.ts'
import { startNodes } from '../support/demo-nodes.ts'
import { processorUs, startServer, stopAll } from './processes.ts'
import {
  type Clocked,
  firstLoad,
  type Load,
  openPage,
  readLoad,
  type Speed,
  speeds,
  type Work,
  workIn,
} from './web-page.ts'
import {
  aims,
  type Loads,
  printClicks,
  printCosts,
  printFirstBytes,
  printLoads,
  printSizes,
  printVitals,
  printWork,
  type Side,
  sides,
  type Turn,
} from './web-table.ts'

const root = join(import.meta.dirname, '..', '..')
const bare = join(import.meta.dirname, 'bare')
const stock = join(import.meta.dirname, 'stock')
const next = join(root, 'node_modules', 'next', 'dist', 'bin', 'next')
const turns = Number(process.env.BENCH_TURNS ?? 12)
const firstByteTurns = 20
/** A benchmark asks more than a visitor. */
const rate = { costPerMinute: 10_000_000 }

/** `npm run bench -- web`: what a visitor waits for and downloads, beside RainbowKit as its instructions set it up, in one run. */
export async function benchWeb(): Promise<void> {
  await ensureBrowser()
  for (const folder of [root, bare, stock]) build(folder)
  const stage = await startStage({ blockTimeS: 1, nodes: defaultVoters })
  const executablePath = findChromium()
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  const silent = await startNodes({ nodes: [{ name: 'silent', faultProfile: 'hanging' }] })
  try {
    const NODE_ENV = 'production'
    const ours = (RPC_CONFIG: string, ready: string) =>
      startServer(['server.ts'], { NODE_ENV, RPC_CONFIG }, ready)
    const config = JSON.stringify({ ...stage.config, rate })
    const theirs = (folder: string) =>
      startServer([next, 'start', folder, '-H', '127.0.0.1'], { NODE_ENV }, '/')
    const stockUrl = await theirs(stock)
    await run(browser, {
      ours: await ours(config, '/api/rpc/ready'),
      hung: await ours(config.replaceAll(/("url":")[^"]+/g, `$1${silent.node('silent').url}`), '/icon.svg'),
      stock: stockUrl,
      rich: `${stockUrl}/rich`,
      bare: await theirs(bare),
    })
  } finally {
    await browser.close()
    stopAll()
    await silent.stop()
    await stage.stop()
  }
}

/** `hung` is ours over nodes none of which answers, `rich` a page of stock with what is on ours. */
type Sites = Readonly<Record<Side | 'hung', string>>
/** What a browser has of a visitor. */
type State = BrowserContextOptions

async function run(browser: Browser, sites: Sites): Promise<void> {
  const stock = await connected(browser, sites.stock)
  const states = { ours: await connected(browser, sites.ours), stock, rich: stock, bare: {} }
  console.log(`kB are thousands of bytes, gzipped as sent; p50 of ${turns} turns, all sides in turn`)
  printSizes({
    'bare Next app': await firstLoad(sites.bare),
    stock: await firstLoad(sites.stock),
    '/': await firstLoad(sites.ours),
    '/, as npm start sends it': await firstLoad(sites.ours, 'sent'),
    '/status': await firstLoad(`${sites.ours}/status`),
  })
  printFirstBytes(await firstBytes(sites))
  const costs = { ours: 0, stock: 0, rich: 0, bare: 0 }
  for (const side of sides) costs[side] = await processorUsPerPage(sites[side])
  printCosts(costs)
  for (const speed of [speeds.full, speeds.slow]) {
    const loads: Loads = { cold: [], warm: [] }
    const rounds = speed === speeds.full ? turns : Math.ceil(turns / 2)
    for (let turn = 0; turn < rounds; turn++) {
      const found = new Map<Side, readonly [cold: Load, warm: Load]>()
      // One that comes after another is favoured, so each comes first in turn.
      const first = turn % sides.length
      for (const side of [...sides.slice(first), ...sides.slice(0, first)])
        found.set(side, await loadTwice(browser, { url: sites[side], state: states[side], speed }))
      for (const [index, cache] of (['cold', 'warm'] as const).entries())
        loads[cache].push(Object.fromEntries([...found].map(([side, both]) => [side, both[index]])) as Turn)
    }
    printLoads(speed.name, loads)
    const clicks = { painted: [] as number[], ours: [] as number[], stock: [] as number[] }
    for (let turn = 0; turn < rounds; turn++) {
      clicks.painted.push(await click(browser, sites.ours, { speed, when: 'painted' }))
      for (const side of ['ours', 'stock'] as const)
        clicks[side].push(await click(browser, sites[side], { speed, when: 'quiet' }))
    }
    const isFull = speed === speeds.full
    printClicks(speed.name, clicks, {
      quiet: isFull ? aims.clickMs : aims.slowClickMs,
      painted: isFull ? aims.paintedClickMs : aims.slowPaintedClickMs,
    })
  }
  for (const side of sides) printWork(side, await work(browser, { url: sites[side], state: states[side] }))
  for (const path of ['/', '/token', '/approvals', '/status', '/status/scorecard', '/console', '/sign-in'])
    printVitals(path, await vitals(browser, sites.ours + path))
}

/** Milliseconds to the first byte of each site's page, without a browser, in turn. */
async function firstBytes(sites: Sites): Promise<Readonly<Record<keyof Sites, number[]>>> {
  const found: Record<keyof Sites, number[]> = { ours: [], hung: [], stock: [], rich: [], bare: [] }
  const names = Object.keys(found) as (keyof Sites)[]
  for (let turn = 0; turn < firstByteTurns; turn++) {
    for (const name of names) {
      const startMs = performance.now()
      const response = await fetch(sites[name])
      found[name].push(performance.now() - startMs)
      await response.text()
    }
  }
  return found
}

/** What a browser keeps of a visitor who has connected. */
async function connected(browser: Browser, url: string): Promise<State> {
  const { context, page } = await openPage(browser, speeds.full)
  await page.goto(url)
  await page.waitForLoadState('networkidle')
  await page.getByRole('button', { name: 'Connect Wallet' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Bench Wallet' }).click()
  await page.locator('[data-phase="connected"]').waitFor()
  const storageState = await context.storageState()
  await context.close()
  return { storageState }
}

const pagesPerServer = 600
const pagesInFlight = 8

/** Microseconds of the server's processor time for a page, eight of them in flight. */
async function processorUsPerPage(url: string): Promise<number> {
  const get = async (pages: number) => {
    for (let page = 0; page < pages; page++) {
      const response = await fetch(url)
      await response.text()
      if (!response.ok) throw new Error(`${url} answered ${response.status}`)
    }
  }
  const all = () =>
    Promise.all(Array.from({ length: pagesInFlight }, () => get(pagesPerServer / pagesInFlight)))
  await all()
  const beforeUs = processorUs(url)
  await all()
  return (processorUs(url) - beforeUs) / pagesPerServer
}

interface Visit {
  readonly url: string
  readonly state: State
  readonly speed: Speed
}

/** With an empty cache, and once more. */
async function loadTwice(
  browser: Browser,
  { url, state, speed }: Visit,
): Promise<readonly [cold: Load, warm: Load]> {
  const { context, page } = await openPage(browser, speed, state)
  // From elsewhere, as visitors come: an unused tab would lend its process to a page that shares one with other sites.
  await page.goto('data:text/html,')
  await page.goto(url)
  const cold = await readLoad(page)
  await page.reload()
  const warm = await readLoad(page)
  await context.close()
  return [cold, warm]
}

/** The work of warm loads, medians of them. */
async function work(browser: Browser, { url, state }: Omit<Visit, 'speed'>): Promise<readonly Work[]> {
  const { context, page } = await openPage(browser, speeds.full, state)
  await page.goto(url)
  await readLoad(page)
  const found: Work[] = []
  for (let turn = 0; turn < turns; turn++) {
    await browser.startTracing(page, { categories: traced })
    await page.reload()
    await readLoad(page)
    found.push(workIn(await browser.stopTracing()))
  }
  await context.close()
  return found
}

const traced = ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'cc', 'v8']

/** A first visit and a press on a throttled phone, by Chrome's own measure. */
async function vitals(browser: Browser, url: string): Promise<Clocked> {
  const { context, page } = await openPage(browser, speeds.slow, devices['Pixel 7'])
  await page.goto(url)
  await page.waitForLoadState('networkidle', { timeout: 60_000 })
  await page.getByRole('button', { name: 'Connect Wallet' }).first().tap()
  await page.getByRole('dialog').waitFor()
  await page.waitForFunction(() => window.clocked.interactionMs > 0)
  const clocked = await page.evaluate(() => window.clocked)
  await context.close()
  return clocked
}

interface Click {
  readonly speed: Speed
  readonly when: 'painted' | 'quiet'
}

/** A first click, without a pointer that comes near before, until its dialog is there: as soon as the button is painted, or once the page is quiet. */
async function click(browser: Browser, url: string, { speed, when }: Click): Promise<number> {
  const { context, page } = await openPage(browser, speed)
  await page.goto(url, { waitUntil: when === 'painted' ? 'commit' : 'load' })
  if (when === 'quiet') await page.waitForLoadState('networkidle', { timeout: 60_000 })
  else await page.waitForFunction(() => window.clocked.paintMs > 0)
  await page.getByRole('button', { name: 'Connect Wallet', exact: true }).first().dispatchEvent('click')
  const handle = await page.waitForFunction(() => window.clocked.dialogMs, null, { timeout: 60_000 })
  const ms = await handle.jsonValue()
  await context.close()
  return ms
}

/** What is measured is what is in the working tree. */
function build(folder: string): void {
  const state = folder === root ? checkBuild(root) : null
  if (state ? state.reason === null : existsSync(join(folder, '.next', 'BUILD_ID'))) return
  console.log(`building ${folder === root ? 'the app' : folder}…`)
  const { status } = spawnSync(process.execPath, [next, 'build'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
  })
  if (status !== 0) throw new Error(`the app in ${folder} does not build`)
  state?.keep()
}
