import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium } from '@playwright/test'
import { checkBuild } from '../../demo/build.ts'
import { defaultVoters } from '../../demo/default-nodes.ts'
import { startStage } from '../../demo/stage.ts'
import { findChromium } from '../../scripts/bootstrap/browser.mjs'
import { browserPaths, here } from '../../scripts/bootstrap/platform.mjs'
import { startServer, stopAll } from './processes.ts'
import { wakeUps } from './web-extension.ts'
import { firstLoad, openPage, readLoad, type Speed, speeds } from './web-page.ts'
import {
  aims,
  type Loads,
  printClicks,
  printFirstBytes,
  printLoads,
  printSends,
  printSizes,
  printWakeUps,
} from './web-table.ts'

const root = join(import.meta.dirname, '..', '..')
const bare = join(import.meta.dirname, 'bare')
const stock = join(import.meta.dirname, 'stock')
const next = join(root, 'node_modules', 'next', 'dist', 'bin', 'next')
const turns = Number(process.env.BENCH_TURNS ?? 8)
const firstByteTurns = 20

/** `npm run bench -- web`: what a visitor waits for and downloads, beside RainbowKit as its instructions set it up, in one run. */
export async function benchWeb(): Promise<void> {
  for (const folder of [root, bare, stock]) build(folder)
  const stage = await startStage({ blockTimeS: 1, nodes: defaultVoters })
  const executablePath = findChromium()
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  const silent = await startSilent()
  try {
    const NODE_ENV = 'production'
    const ours = (RPC_CONFIG: string, ready: string) =>
      startServer(['server.ts'], { NODE_ENV, RPC_CONFIG }, ready)
    const config = JSON.stringify(stage.config)
    await run(browser, {
      ours: await ours(config, '/api/rpc/ready'),
      hung: await ours(config.replaceAll(/("url":")[^"]+/g, `$1${silent.url}`), '/icon.svg'),
      stock: await startServer([next, 'start', stock, '-H', '127.0.0.1'], { NODE_ENV: 'production' }, '/'),
      bare: await startServer([next, 'start', bare, '-H', '127.0.0.1'], { NODE_ENV: 'production' }, '/'),
    })
  } finally {
    await browser.close()
    stopAll()
    silent.stop()
    await stage.stop()
  }
}

/** `hung` is ours over nodes none of which answers. */
type Sites = Readonly<Record<'ours' | 'hung' | 'stock' | 'bare', string>>
type State = BrowserContextOptions['storageState']

const sides = ['ours', 'stock'] as const

async function run(browser: Browser, sites: Sites): Promise<void> {
  const states = { ours: await connected(browser, sites.ours), stock: await connected(browser, sites.stock) }
  console.log(`kB are thousands of bytes, gzipped as sent; p50 of ${turns} turns, ours and stock in turn`)
  printSizes({
    'bare Next app': await firstLoad(sites.bare),
    stock: await firstLoad(sites.stock),
    '/': await firstLoad(sites.ours),
    '/status': await firstLoad(`${sites.ours}/status`),
  })
  printFirstBytes(await firstBytes(sites))
  for (const speed of [speeds.full, speeds.slow]) {
    const loads: Loads = { 'cold ours': [], 'warm ours': [], 'cold stock': [], 'warm stock': [] }
    const rounds = speed === speeds.full ? turns : Math.ceil(turns / 2)
    for (let turn = 0; turn < rounds; turn++)
      for (const side of sides)
        await loadTwice(browser, { url: sites[side], state: states[side], speed, side, loads })
    printLoads(speed.name, loads)
    const clicks = { painted: [] as number[], ours: [] as number[], stock: [] as number[] }
    for (let turn = 0; turn < rounds; turn++) {
      clicks.painted.push(await click(browser, sites.ours, { speed, when: 'painted' }))
      for (const side of sides) clicks[side].push(await click(browser, sites[side], { speed, when: 'quiet' }))
    }
    printClicks(speed.name, clicks, speed === speeds.full ? aims.clickMs : aims.slowClickMs)
    const sends: number[] = []
    for (let turn = 0; turn < rounds; turn++)
      sends.push(await click(browser, sites.ours, { speed, when: 'quiet', state: states.ours, name: 'Send' }))
    printSends(speed.name, sends)
  }
  const whole = browserPaths(here, homedir()).find(
    (path) => existsSync(path) && !path.includes('headless-shell'),
  )
  if (whole === undefined)
    return console.log('\nno wallet as an extension: that needs a Chromium that is not the headless shell')
  printWakeUps(await wakeUps(whole, { ours: sites.ours, stock: sites.stock }, turns))
}

/** Milliseconds to the first byte of each site's page, without a browser, in turn. */
async function firstBytes(sites: Sites): Promise<Readonly<Record<keyof Sites, number[]>>> {
  const found: Record<keyof Sites, number[]> = { ours: [], hung: [], stock: [], bare: [] }
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

/** A node that takes connections and never answers. */
function startSilent(): Promise<{ url: string; stop: () => void }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => sockets.add(socket))
  const stop = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      resolve({ url: `http://127.0.0.1:${port}`, stop })
    }),
  )
}

/** What a browser keeps of a visitor who has connected. */
async function connected(browser: Browser, url: string): Promise<State> {
  const { context, page } = await openPage(browser, speeds.full)
  await page.goto(url)
  await page.waitForLoadState('networkidle')
  await page.getByRole('button', { name: 'Connect Wallet' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Bench Wallet' }).click()
  await page.locator('[data-phase="connected"]').waitFor()
  const state = await context.storageState()
  await context.close()
  return state
}

interface Visit {
  readonly url: string
  readonly state: State
  readonly speed: Speed
  readonly side: (typeof sides)[number]
  readonly loads: Loads
}

/** With an empty cache, and once more. */
async function loadTwice(browser: Browser, { url, state, speed, side, loads }: Visit): Promise<void> {
  const { context, page } = await openPage(browser, speed, state)
  await page.goto(url)
  loads[`cold ${side}`].push(await readLoad(page))
  await page.reload()
  loads[`warm ${side}`].push(await readLoad(page))
  await context.close()
}

interface Click {
  readonly speed: Speed
  readonly when: 'painted' | 'quiet'
  readonly name?: string
  readonly state?: State
}

/** A first click, without a pointer that comes near before, until its dialog is there: as soon as the button is painted, or once the page is quiet. */
async function click(
  browser: Browser,
  url: string,
  { speed, when, name = 'Connect Wallet', state }: Click,
): Promise<number> {
  const { context, page } = await openPage(browser, speed, state)
  await page.goto(url, { waitUntil: when === 'painted' ? 'commit' : 'load' })
  if (when === 'quiet') await page.waitForLoadState('networkidle', { timeout: 60_000 })
  await page.getByRole('button', { name, exact: true }).first().dispatchEvent('click')
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
