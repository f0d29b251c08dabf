import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { lookAtBuild } from '../../demo/build.ts'
import { type Measured, measure, measureAlone, percentile } from './load.ts'
import { startPeer, startServer, stopAll } from './processes.ts'

const root = join(import.meta.dirname, '..', '..')
const bare = join(import.meta.dirname, 'bare')
const next = join(root, 'node_modules', 'next', 'dist', 'bin', 'next')
const secondsEach = Number(process.env.BENCH_SECONDS ?? 5)

const cachedCall = call('1'.repeat(40))
const cached = () => cachedCall
/** No two are alike, so that nothing is known and nothing shared. */
const fresh = (count: number) => call((count + 1).toString(16).padStart(40, '2'))
const batchOf = (count: number) =>
  `[${Array.from({ length: 100 }, (_, index) => fresh(count * 100 + index)).join(',')}]`

function call(account: string): string {
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

async function run(): Promise<void> {
  build()
  const nodes = await Promise.all([startPeer('node.ts'), startPeer('node.ts'), startPeer('node.ts')])
  const config = JSON.stringify({
    version: 1,
    rate: null,
    chains: [
      {
        id: 137,
        quorum: 2,
        nodes: nodes.map((url, index) => ({ name: `n${index}`, url, inFlightMax: 256, batchCallsMax: 50 })),
      },
    ],
  })
  const env = { RPC_CONFIG: config, NODE_ENV: 'production' }
  const ours = `${await startServer(['server.ts'], env, '/api/rpc/ready')}/api/rpc/137`
  const edge = `${await startNext(root, env, '/api/rpc/ready')}/api/rpc/137`
  const bareNext = await startNext(bare, { BENCH_NODE: nodes[0] ?? '' }, '/')
  const constant = await startPeer('constant.ts')
  const comparer = await startPeer('comparer.ts', nodes.slice(0, 2))
  const ethers = await startPeer('ethers.ts', nodes)

  const rows: Row[] = []
  const load = async (name: string, url: string, body: (count: number) => string, callsEach = 1) => {
    await measure({ url, body, seconds: Math.min(2, secondsEach) })
    const measured = await measure({ url, body, seconds: secondsEach })
    rows.push({ name, callsEach, ...measured })
    console.log(line(rows.at(-1) as Row))
  }
  console.log(`${'what'.padEnd(46)}calls/s    p50 ms   p99 ms   errors`)
  await load('node:http, a constant', constant, cached)
  await load('Node host, a cached read', ours, cached)
  await load('two-node comparer by hand', comparer, fresh)
  await load('Node host, a quorum read (2 of 3)', ours, fresh)
  await load('Node host, 100 quorum reads in a batch', ours, batchOf, 100)
  await load('ethers 6 FallbackProvider, quorum 2', ethers, fresh)
  await load('Next route over one node', `${bareNext}/api/one`, fresh)
  await load('Next edge route, a constant', `${bareNext}/api/empty`, cached)
  await load('edge host, a cached read', edge, cached)
  await load('edge host, a quorum read (2 of 3)', edge, fresh)

  const alone = await measureAlone(nodes[0] ?? '', fresh, 2000)
  const through = await measureAlone(ours, fresh, 2000)
  const per = (name: string) =>
    (rows.find((row) => row.name === name)?.perSecond ?? Number.NaN) *
    (rows.find((row) => row.name === name)?.callsEach ?? 1)
  const ratio = (one: string, other: string) => `${(per(one) / per(other)).toFixed(2)} x`
  console.log()
  print([
    [
      'cached read over a constant by node:http',
      ratio('Node host, a cached read', 'node:http, a constant'),
      '>= 0.5 x',
    ],
    [
      'quorum read over a two-node comparer by hand',
      ratio('Node host, a quorum read (2 of 3)', 'two-node comparer by hand'),
      '>= 0.9 x',
    ],
    [
      'quorum read over a Next route and one node',
      ratio('Node host, a quorum read (2 of 3)', 'Next route over one node'),
      '>= 10 x',
    ],
    [
      'quorum read over ethers 6 FallbackProvider',
      ratio('Node host, a quorum read (2 of 3)', 'ethers 6 FallbackProvider, quorum 2'),
      '>= 2 x',
    ],
    [
      'edge host over an empty edge route',
      ratio('edge host, a cached read', 'Next edge route, a constant'),
      '>= 0.9 x',
    ],
    [
      'batch of 100 over the same reads sent singly',
      ratio('Node host, 100 quorum reads in a batch', 'Node host, a quorum read (2 of 3)'),
      '>= 3 x',
    ],
    [
      'latency added to one node, one at a time, p50',
      `${(percentile(through, 0.5) - percentile(alone, 0.5)).toFixed(2)} ms`,
      '<= 0.3 ms',
    ],
    [
      'latency added to one node, one at a time, p99',
      `${(percentile(through, 0.99) - percentile(alone, 0.99)).toFixed(2)} ms`,
      '<= 2 ms',
    ],
  ])
}

interface Row extends Measured {
  readonly name: string
  readonly callsEach: number
}

function line({ name, callsEach, perSecond, p50Ms, p99Ms, errors }: Row): string {
  return `${name.padEnd(46)}${Math.round(perSecond * callsEach)
    .toString()
    .padEnd(11)}${String(p50Ms).padEnd(9)}${String(p99Ms).padEnd(9)}${errors}`
}

function print(rows: readonly (readonly [string, string, string])[]): void {
  for (const [what, value, aim] of rows) console.log(`${what.padEnd(50)}${value.padEnd(12)}aim ${aim}`)
}

function startNext(folder: string, env: Readonly<Record<string, string>>, ready: string): Promise<string> {
  // `next start` takes its port from PORT.
  return startServer([next, 'start', folder, '-H', '127.0.0.1'], env, ready)
}

/** Both apps as built for production: what is measured is what is in the working tree. */
function build(): void {
  const ours = lookAtBuild(root)
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
