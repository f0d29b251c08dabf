import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { checkBuild } from '../../demo/build.ts'
import {
  bodies,
  generator,
  type Load,
  type Measured,
  measure,
  measureAlone,
  percentile,
  post,
  spreadOf,
} from './load.ts'
import { processorUs, startPeer, startServer, stopAll } from './processes.ts'

const root = join(import.meta.dirname, '..', '..')
const bare = join(import.meta.dirname, 'bare')
const next = join(root, 'node_modules', 'next', 'dist', 'bin', 'next')
const secondsEach = Number(process.env.BENCH_SECONDS ?? 3)
const rounds = 3
const warmUpSeconds = Math.min(2, secondsEach)

/** `known`: the same call again and again, which nobody has to be asked for. `fresh`: no two are alike. */
const known = callFor('1'.repeat(40))
const fresh = callFor('ACCOUNT')

function callFor(account: string): string {
  return `{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0x${account}","latest"]}`
}

/** Both hosts beside the barest servers that there are and the usual ways to do the same, all in one run. */
export async function benchRpc(): Promise<void> {
  try {
    await run()
  } finally {
    stopAll()
  }
}

/** Budgets of a caller and, where callers cannot be told apart, of all: so large that nothing here is refused. */
const unspent = { costPerMinute: 10_000_000, costBurst: 10_000_000, siteCallsPerSecond: 1_000_000 }

/** Two settings of ours: as shipped, with budgets of callers that are counted and never spent, and for a service of one's own. */
export function settings(nodes: readonly string[]) {
  const config = (own: object, rate: object | null) =>
    JSON.stringify({
      version: 1,
      rate,
      chains: [
        { id: 137, quorum: 2, nodes: nodes.map((url, index) => ({ name: `n${index}`, url, ...own })) },
      ],
    })
  const env = { NODE_ENV: 'production' }
  return {
    shipped: { ...env, RPC_CONFIG: config({}, unspent) },
    tuned: { ...env, RPC_CONFIG: config({ inFlightMax: 256 }, null) },
  }
}

async function run(): Promise<void> {
  build()
  const nodes = await Promise.all([startPeer('node.ts'), startPeer('node.ts'), startPeer('node.ts')])
  const { shipped, tuned } = settings(nodes)
  const ready = '/api/rpc/ready'
  const ours = `${await startServer(['server.ts'], shipped, ready)}/api/rpc/137`
  const oursTuned = `${await startServer(['server.ts'], tuned, ready)}/api/rpc/137`
  const edge = `${await startNext(root, shipped, ready)}/api/rpc/137`
  // A bare Next app prints two stack traces for each connection that the load generator closes.
  const bareNext = await startNext(bare, { BENCH_NODE: nodes[0] ?? '' }, '/', 'ignore')
  const constant = await startPeer('constant.ts')
  const comparer = await startPeer('comparer.ts', nodes.slice(0, 2))
  const ethers = await startPeer('ethers.ts', nodes)

  const rows = {
    constant: row('node:http, a constant', constant, known),
    known: row('Node host, a known answer', ours, known),
    knownTuned: row('Node host, a known answer *', oursTuned, known),
    comparer: row('two-node comparer by hand', comparer, fresh),
    quorum: row('Node host, 2 of 3 agree', ours, fresh),
    quorumTuned: row('Node host, 2 of 3 agree *', oursTuned, fresh),
    batch: row('Node host, 100 of them in a batch *', oursTuned, fresh, 100),
    ethers: row('ethers 6 FallbackProvider, quorum 2', ethers, fresh),
    next: row('Next route over one node', `${bareNext}/api/one`, fresh),
    edgeConstant: row('Next edge route, a constant', `${bareNext}/api/empty`, known),
    edgeKnown: row('edge host, a known answer', edge, known),
    edgeQuorum: row('edge host, 2 of 3 agree', edge, fresh),
  }
  for (const each of Object.values(rows)) await expectResult(each)
  for (let round = 0; round < rounds; round++)
    for (const { load, heard } of Object.values(rows)) {
      if (round === 0) await measure({ ...load, connections: 16, seconds: warmUpSeconds })
      heard.push({
        full: await withTime({ ...load, connections: 16, seconds: secondsEach }),
        alone: await withTime({ ...load, connections: 1, seconds: secondsEach }),
      })
    }

  console.log(cells('', '', 'µs of processor time per call'))
  console.log(cells('what', 'calls/s', '16 in flight', 'one at a time', 'p50 ms', 'p99 ms', 'errors'))
  for (const each of Object.values(rows)) console.log(line(each))
  console.log(`
Load by ${generator}, ${rounds} rounds of ${secondsEach} s each: median (least to most). Calls/s and latencies are of 16 in flight.
* for a service of one's own: no budget of callers, 256 requests in flight at a node.
  The others of ours: the configuration as shipped, with a budget of callers that nobody spends.
One at a time, each answer wakes a caller that sleeps, which costs every server the same; of 16 a fast server's caller never does.
`)

  const alone = await measureAlone(nodes[0] ?? '', fresh, 2000)
  const through = await measureAlone(ours, fresh, 2000)
  const addedMs = (share: number) => (percentile(through, share) - percentile(alone, share)).toFixed(2)
  const ofTime = (one: Row, other: Row) =>
    `${(us(one, 'alone').median / us(other, 'alone').median).toFixed(2)} x`
  const ofCalls = (one: Row, other: Row) => `${(perSecond(one) / perSecond(other)).toFixed(2)} x`
  print([
    ['a known answer, processor time, over a constant', ofTime(rows.known, rows.constant), '<= 2.0 x'],
    ['a known answer, calls/s, over a constant', ofCalls(rows.known, rows.constant), '>= 0.5 x'],
    ['an agreed read, processor time, over the comparer', ofTime(rows.quorum, rows.comparer), '<= 0.75 x'],
    ['an agreed read, calls/s, over the comparer', ofCalls(rows.quorum, rows.comparer), '>= 0.9 x'],
    [
      'in a batch of 100, processor time a call',
      `${us(rows.batch, 'full').median.toFixed(0)} µs`,
      '<= 60 µs',
    ],
    ['an agreed read, calls/s, over a Next route', ofCalls(rows.quorum, rows.next), '>= 10 x'],
    ['an agreed read, calls/s, over ethers 6', ofCalls(rows.quorum, rows.ethers), '>= 2 x'],
    ['edge host, calls/s, over an empty edge route', ofCalls(rows.edgeKnown, rows.edgeConstant), '>= 0.9 x'],
    ['added to one node, one call at a time, p50', `${addedMs(0.5)} ms`, '<= 0.3 ms'],
    ['added to one node, one call at a time, p99', `${addedMs(0.99)} ms`, '<= 2 ms'],
  ])
}

interface Row {
  readonly name: string
  readonly load: Omit<Load, 'seconds' | 'connections'>
  /** One of each a round. */
  readonly heard: { readonly full: Timed; readonly alone: Timed }[]
}

interface Timed extends Measured {
  /** Microseconds of the server's processor time per call. */
  readonly usPerCall: number
}

async function withTime(load: Load): Promise<Timed> {
  const beforeUs = processorUs(load.url)
  const measured = await measure(load)
  return { ...measured, usPerCall: (processorUs(load.url) - beforeUs) / measured.calls }
}

function row(name: string, url: string, text: string, callsEach = 1): Row {
  return { name, load: { url, text, callsEach }, heard: [] }
}

/** A server that answers errors is fast: each must answer a result before it is measured. */
async function expectResult({ name, load }: Row): Promise<void> {
  const text = await post(load.url, bodies(load)())
  if (!text.includes('"result":"0x10"')) throw new Error(`${name} answers ${text.slice(0, 300)}`)
}

const us = ({ heard }: Row, of: 'full' | 'alone') => spreadOf(heard.map((each) => each[of].usPerCall))
const perSecond = ({ heard }: Row) => spreadOf(heard.map(({ full }) => full.perSecond)).median

const columns = [38, 10, 22, 22, 9, 9]
const cells = (...values: readonly string[]) =>
  values.map((value, index) => value.padEnd(columns[index] ?? 0)).join('')

function line(each: Row): string {
  const time = (of: 'full' | 'alone') => {
    const { median, least, most } = us(each, of)
    return `${median.toFixed(0)} (${least.toFixed(0)} to ${most.toFixed(0)})`
  }
  const middle = (of: (measured: Measured) => number) =>
    spreadOf(each.heard.map(({ full }) => of(full))).median.toFixed(2)
  const errors = each.heard.reduce((sum, { full, alone }) => sum + full.errors + alone.errors, 0)
  const latency = [middle(({ p50Ms }) => p50Ms), middle(({ p99Ms }) => p99Ms)]
  return cells(
    each.name,
    perSecond(each).toFixed(0),
    time('full'),
    time('alone'),
    ...latency,
    errors.toString(),
  )
}

function print(rows: readonly (readonly [string, string, string])[]): void {
  for (const [what, value, aim] of rows) console.log(`${what.padEnd(52)}${value.padEnd(12)}aim ${aim}`)
}

function startNext(
  folder: string,
  env: Readonly<Record<string, string>>,
  ready: string,
  stderr?: 'ignore',
): Promise<string> {
  // `next start` takes its port from PORT.
  return startServer([next, 'start', folder, '-H', '127.0.0.1'], env, ready, stderr)
}

/** Both apps as built for production: what is measured is what is in the working tree. */
function build(): void {
  const ours = checkBuild(root)
  if (ours.reason !== null) {
    console.log(`${ours.reason}: building it, which takes a minute or two…`)
    buildIn(root)
    ours.keep()
  }
  if (existsSync(join(bare, '.next', 'BUILD_ID'))) return
  console.log('building the bare Next app to measure against…')
  buildIn(bare)
}

function buildIn(cwd: string): void {
  const env = { ...process.env, NODE_ENV: 'production' as const, NEXT_TELEMETRY_DISABLED: '1' }
  const { status } = spawnSync(process.execPath, [next, 'build'], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
    env,
  })
  if (status !== 0) throw new Error(`the app in ${cwd} does not build`)
}
