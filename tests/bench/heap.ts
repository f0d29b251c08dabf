import { join } from 'node:path'
import { generator, type Measured, measure, spreadOf } from './load.ts'
import { processorUs, residentMb, startPeer, startServer, stop, stopAll } from './processes.ts'
import { settings } from './rpc.ts'

const rounds = 3
const idleMs = 10_000
const warmUpSeconds = 2
const secondsEach = 7
const sampleMs = 200

const compiled = join(import.meta.dirname, '../../node_modules/.cache/quorate/compiled')
const read = '{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0xACCOUNT","latest"]}'
/** One call in a request, 64 requests in flight; and batches, 1,600 calls in flight. */
const loads = {
  single: { text: read, callsEach: 1, connections: 64 },
  batch: { text: read, callsEach: 100, connections: 16 },
} as const

interface Row {
  readonly flags: string
  readonly idle: number[]
  readonly single: Loaded[]
  readonly batch: Loaded[]
}

interface Loaded extends Measured {
  readonly peakMb: number
  readonly usPerCall: number
}

/** Memory and speed of the gateway alone with each of these sets of V8's flags: idle, and while two nodes agree on every call. */
export async function benchHeap(flagSets: readonly string[]): Promise<void> {
  try {
    const nodes = await Promise.all([startPeer('node.ts'), startPeer('node.ts'), startPeer('node.ts')])
    const env = { ...settings(nodes).tuned, NODE_COMPILE_CACHE: compiled }
    const rows = flagSets.map((flags): Row => ({ flags, idle: [], single: [], batch: [] }))
    for (let round = 0; round < rounds; round++) await measureAll(rows, env)
    print(rows)
  } finally {
    stopAll()
  }
}

async function measureAll(rows: readonly Row[], env: Readonly<Record<string, string>>): Promise<void> {
  const started: (readonly [Row, string])[] = []
  for (const row of rows) {
    const args = [...row.flags.split(' ').filter((flag) => flag !== ''), 'server.ts', '--rpc-only']
    started.push([row, await startServer(args, env, '/api/rpc/ready')])
  }
  await new Promise((resolve) => setTimeout(resolve, idleMs))
  for (const [row, url] of started) row.idle.push(residentMb(url))
  for (const [row, url] of started) {
    await measure({ ...loads.single, url: `${url}/api/rpc/137`, seconds: warmUpSeconds })
    row.single.push(await measureLoaded(url, loads.single))
    row.batch.push(await measureLoaded(url, loads.batch))
    stop(url)
  }
}

async function measureLoaded(url: string, load: (typeof loads)[keyof typeof loads]): Promise<Loaded> {
  let peakMb = residentMb(url)
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(url))
  }, sampleMs)
  const beforeUs = processorUs(url)
  const measured = await measure({ ...load, url: `${url}/api/rpc/137`, seconds: secondsEach })
  clearInterval(timer)
  return { ...measured, peakMb, usPerCall: (processorUs(url) - beforeUs) / measured.calls }
}

function print(rows: readonly Row[]): void {
  console.log(
    cells('', 'MiB', 'one call a request, 64 in flight', '', '', '', '', 'batches of 100, 16 in flight'),
  )
  const each = ['peak MiB', 'calls/s', 'p50 ms', 'p99 ms', 'µs a call']
  console.log(cells('flags', 'idle', ...each, ...each))
  for (const { flags, idle, single, batch } of rows)
    console.log(cells(flags || 'none', median(idle).toFixed(0), ...loaded(single), ...loaded(batch)))
  console.log(`Medians of ${rounds} rounds of ${secondsEach} s each, load by ${generator}.`)
}

function loaded(all: readonly Loaded[]): readonly string[] {
  const names = ['peakMb', 'perSecond', 'p50Ms', 'p99Ms', 'usPerCall'] as const
  return names.map((name) => median(all.map((each) => each[name])).toFixed(0))
}

const median = (values: readonly number[]) => spreadOf(values).median
const cells = (first: string, ...values: readonly string[]) =>
  first.padEnd(52) + values.map((value) => value.padEnd(10)).join('')
