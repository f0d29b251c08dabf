import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { lookAtBuild } from '../../demo/build.ts'
import { startStage } from '../../demo/stage.ts'
import { findChromium } from '../../scripts/bootstrap/browser.mjs'
import { startServer, stopAll } from './processes.ts'
import { type Clocked, clockPage, firstLoad, idleLoad, type Load } from './web-page.ts'

const root = join(import.meta.dirname, '..', '..')
const bare = join(import.meta.dirname, 'bare')
const next = join(root, 'node_modules', 'next', 'dist', 'bin', 'next')
const turns = Number(process.env.BENCH_TURNS ?? 15)

/** `npm run bench -- web`: what a visitor waits for and downloads, beside a bare Next app, in one run. */
export async function benchWeb(): Promise<void> {
  build(root)
  build(bare)
  const stage = await startStage({ blockTimeS: 1 })
  const executablePath = findChromium()
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  try {
    const env = {
      NODE_ENV: 'production',
      DEMO: '1',
      OPERATOR_OPEN: '1',
      RPC_CONFIG: JSON.stringify(stage.config),
    }
    const ours = await startServer(['server.ts'], env, '/api/rpc/ready')
    const { DEMO: _, ...plainEnv } = env
    const plain = await startServer(['server.ts'], plainEnv, '/api/rpc/ready')
    const nothing = await startServer(
      [next, 'start', bare, '-H', '127.0.0.1'],
      { NODE_ENV: 'production' },
      '/',
    )
    await run(browser, { ours, plain, nothing })
  } finally {
    await browser.close()
    stopAll()
    await stage.stop()
  }
}

interface Sites {
  /** With the demo's wallet to connect. */
  readonly ours: string
  /** As an operator runs it: what it weighs is what a visitor downloads. */
  readonly plain: string
  readonly nothing: string
}

async function run(browser: Browser, { ours, plain, nothing }: Sites): Promise<void> {
  const bareFirst = await firstLoad(nothing)
  const first = await firstLoad(plain)
  const stranger = await visit(browser, plain)
  const opened = await openings(browser, ours)
  const returned = await returns(browser, ours)

  console.log(`${turns} turns each; kB are thousands of bytes, KiB 1024\n`)
  console.log(`${'what'.padEnd(46)}${'measured'.padEnd(28)}aim`)
  print('first-load JS, gzip: bare Next app', size(bareFirst))
  print('first-load JS, gzip: /', size(first), '<= 170 KiB')
  print('first-load JS over the bare app', size(first - bareFirst))
  print('JS while idle, gzip: a stranger', size(stranger.bytes))
  print('JS while idle, gzip: a returning visitor', size(returned.bytes))
  print('requests to other origins before intent', String(stranger.elsewhere + returned.elsewhere), '0')
  print('address visible on reload, p75', ms(returned.visibleMs))
  print('connected on reload, p75', ms(returned.connectedMs), '<= 250 ms')
  print('click to open dialog, preloaded on hover, p75', ms(opened), '<= 150 ms')
  print('layout shift on reload (CLS), worst', Math.max(...returned.shifts).toFixed(4), '0')
}

async function visit(browser: Browser, url: string): Promise<Load> {
  const page = await browser.newPage()
  const load = await idleLoad(page, url)
  await page.close()
  return load
}

/** From the click to a painted dialog, in a fresh context each time. */
async function openings(browser: Browser, url: string): Promise<readonly number[]> {
  const waits: number[] = []
  for (let turn = 0; turn < turns; turn++) {
    const context = await browser.newContext()
    const page = await context.newPage()
    await clockPage(page)
    await page.goto(url)
    await page.waitForLoadState('networkidle')
    const button = page.locator('[data-phase="none"] button')
    await button.hover()
    await page.waitForLoadState('networkidle')
    await button.click()
    waits.push(
      await page
        .waitForFunction(() => window.clocked.dialogMs)
        .then((handle) => handle.jsonValue() as Promise<number>),
    )
    await context.close()
  }
  return waits
}

interface Returned extends Load {
  readonly visibleMs: readonly number[]
  readonly connectedMs: readonly number[]
  readonly shifts: readonly number[]
}

async function returns(browser: Browser, url: string): Promise<Returned> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await clockPage(page)
  await connect(page, url)
  const seen: Clocked[] = []
  for (let turn = 0; turn < turns; turn++) {
    await page.reload()
    await page.waitForFunction(() => window.clocked.connectedMs > 0)
    await page.waitForLoadState('networkidle')
    seen.push(await page.evaluate(() => window.clocked))
  }
  const load = await idleLoad(page, url)
  await context.close()
  return {
    ...load,
    visibleMs: seen.map(({ visibleMs }) => visibleMs),
    connectedMs: seen.map(({ connectedMs }) => connectedMs),
    shifts: seen.map(({ shift }) => shift),
  }
}

async function connect(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.locator('[data-phase="none"] button').click()
  await page.getByRole('button', { name: 'Demo Wallet' }).click()
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.locator('[data-phase="connected"]').waitFor()
}

function print(what: string, measured: string, aim = ''): void {
  console.log(`${what.padEnd(46)}${measured.padEnd(28)}${aim}`)
}

function size(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB (${(bytes / 1024).toFixed(1)} KiB)`
}

function ms(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return `${Math.round(at(0.75))} ms (p50 ${Math.round(at(0.5))})`
}

/** What is measured is what is in the working tree. */
function build(folder: string): void {
  const state = folder === root ? lookAtBuild(root) : null
  if (state ? state.reason === null : existsSync(join(folder, '.next', 'BUILD_ID'))) return
  console.log(`building ${folder === root ? 'the app' : 'the bare Next app'}…`)
  const { status } = spawnSync(process.execPath, [next, 'build'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
  })
  if (status !== 0) throw new Error(`the app in ${folder} does not build`)
  state?.keep()
}
