import { join } from 'node:path'
import { checkOut } from './checkout.ts'
import { bodies, generator, type Load, type Measured, measure, median, post, quantile } from './load.ts'
import {
  allocatedBytes,
  processorUs,
  residentMb,
  startPeer,
  startServer,
  stop,
  stopAll,
} from './processes.ts'

const root = join(import.meta.dirname, '..', '..')
const secondsEach = Number(process.env.BENCH_SECONDS ?? 3)
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const restMs = 5_000
const sampleMs = 100
/** As `npm start` has them, and a line for each collection. */
const flags = ['--max-semi-space-size=16', '--max-old-space-size=1024', '--trace-gc']

export const callFor = (account: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0x${account}","latest"]}`
/** The same call again and again, and calls of which no two are alike; 16 requests in flight. */
const loads = {
  hit: { title: 'a cache hit', text: callFor('1'.repeat(40)), callsEach: 1 },
  agreed: { title: 'a read that 2 of 3 nodes agree on', text: callFor('ACCOUNT'), callsEach: 1 },
  batch: { title: 'the same, 100 in a batch', text: callFor('ACCOUNT'), callsEach: 100 },
} as const

type LoadName = keyof typeof loads

interface Row {
  readonly name: string
  readonly what: LoadName
  /** Starts a process of its own, and returns where it answers. */
  readonly start: () => Promise<string>
  /** One a round. */
  readonly found: Found[]
}

interface Found extends Measured {
  readonly usPerCall: number
  readonly kbPerCall: number
  readonly peakMb: number
}

/** The settings of a gateway of one's own: no budget of callers, 256 requests in flight at a node. */
export function settings(nodes: readonly string[]): Readonly<Record<string, string>> {
  const named = nodes.map((url, index) => ({ name: `n${index}`, url, inFlightMax: 256 }))
  return {
    NODE_ENV: 'production',
    RPC_CONFIG: JSON.stringify({
      version: 1,
      rate: null,
      chains: [{ id: 137, quorum: 2, nodes: named }],
    }),
  }
}

/** The gateway, that of another commit if one is given, and baselines, in turn. */
export async function benchRpc(commit?: string): Promise<void> {
  const older = commit === undefined ? null : checkOut(root, commit)
  try {
    await run(older && { name: commit?.slice(0, 8) ?? '', folder: older.folder })
  } finally {
    stopAll()
    older?.remove()
  }
}

async function run(older: { readonly name: string; readonly folder: string } | null): Promise<void> {
  const nodes = await Promise.all([startPeer('node.ts'), startPeer('node.ts'), startPeer('node.ts')])
  const start = async (cwd: string) => {
    const args = [...flags, 'server.ts', '--rpc-only']
    return `${await startServer(args, settings(nodes), '/api/rpc/ready', { cwd })}/api/rpc/137`
  }
  const gateways = [{ name: 'this tree', folder: root }, ...(older === null ? [] : [older])]
  let sent = ''
  for (const { name, folder } of gateways) {
    // The first start of a tree fills its compile cache.
    await stop(await start(folder))
    const url = await start(folder)
    sent ||= await headersOf(url)
    await new Promise((resolve) => setTimeout(resolve, restMs))
    console.log(`${name}: ${residentMb(url).toFixed(0)} MiB at rest (aim: 100)`)
    await stop(url)
  }

  const row = (name: string, what: LoadName, start: Row['start']): Row => ({ name, what, start, found: [] })
  const ofGateways = (what: LoadName) =>
    gateways.map(({ name, folder }) => row(name, what, () => start(folder)))
  const two = nodes.slice(0, 2)
  const rows = [
    row('bare node:http', 'hit', () => startPeer('constant.ts')),
    row('the least by our promises', 'hit', () => startPeer('least.ts', [sent])),
    ...ofGateways('hit'),
    row('two-node comparer', 'agreed', () => startPeer('comparer.ts', two)),
    row('the least by our promises', 'agreed', () => startPeer('least.ts', [sent, ...two])),
    ...ofGateways('agreed'),
    row('ethers 6 FallbackProvider', 'agreed', () => startPeer('ethers.ts', nodes)),
    ...ofGateways('batch'),
  ]
  for (let round = 0; round < rounds; round++) for (const each of rows) each.found.push(await found(each))
  print(rows)
  await printAdded(nodes[0] ?? '', await start(root))
}

/** What a gateway sends beside what every server does, as JSON. */
async function headersOf(url: string): Promise<string> {
  const { headers } = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: loads.hit.text,
  })
  const own = [...headers].filter(
    ([name]) => !['connection', 'content-length', 'date', 'keep-alive'].includes(name),
  )
  return JSON.stringify(Object.fromEntries(own))
}

/** A server that answers errors is fast: each must answer a result before it is measured. */
async function warmUp({ name, what }: Row, url: string): Promise<void> {
  const text = await post(url, bodies(loads[what])())
  if (!text.includes('"result":"0x10"')) throw new Error(`${name} answers ${text.slice(0, 300)}`)
  await measure(loadOf(what, url, secondsEach))
}

const loadOf = (what: LoadName, url: string, seconds: number): Load => ({
  ...loads[what],
  ...{ url, seconds, connections: 16 },
})

/** In a new process each time: two of the same code differ by a tenth, and stay so. */
async function found(row: Row): Promise<Found> {
  const url = await row.start()
  await warmUp(row, url)
  let peakMb = residentMb(url)
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(url))
  }, sampleMs)
  const [beforeUs, beforeBytes] = [processorUs(url), allocatedBytes(url)]
  const measured = await measure(loadOf(row.what, url, secondsEach))
  clearInterval(timer)
  const [us, bytes] = [processorUs(url) - beforeUs, allocatedBytes(url) - beforeBytes]
  await stop(url)
  return {
    ...measured,
    ...{ usPerCall: us / measured.calls, kbPerCall: bytes / 1000 / measured.calls, peakMb },
  }
}

function print(rows: readonly Row[]): void {
  const cells = (...values: readonly string[]) =>
    values.map((value, index) => value.padEnd(index === 0 ? 28 : 11)).join('')
  for (const what of Object.keys(loads) as LoadName[]) {
    const own = rows.filter((each) => each.what === what)
    const middle = ({ found: all }: Row, of: keyof Found) => median(all.map((each) => each[of]))
    const baseline = own[0] as Row
    console.log(`\n${loads[what].title}, 16 requests in flight`)
    console.log(
      cells('', 'µs a call', 'of first', 'kB a call', 'p50 ms', 'p99 ms', 'calls/s', 'most MiB', 'errors'),
    )
    for (const each of own)
      console.log(
        cells(
          each.name,
          middle(each, 'usPerCall').toFixed(1),
          `${(middle(each, 'usPerCall') / middle(baseline, 'usPerCall')).toFixed(2)} x`,
          middle(each, 'kbPerCall').toFixed(1),
          middle(each, 'p50Ms').toFixed(2),
          middle(each, 'p99Ms').toFixed(2),
          middle(each, 'perSecond').toFixed(0),
          middle(each, 'peakMb').toFixed(0),
          String(each.found.reduce((sum, { errors }) => sum + errors, 0)),
        ),
      )
  }
  console.log(`
Medians of ${rounds} new processes, ${secondsEach} s each, load by ${generator}; processor time and allocations are the server's alone.
Aims: a hit 1.7 x, an agreed read 1.0 x and 20 kB, a call in a batch 40 µs, p99 4 times p50, 200 MiB.`)
}

/** What the gateway adds to one node's answer, one call at a time. */
async function printAdded(node: string, gateway: string): Promise<void> {
  const latencies = async (url: string) => {
    const next = bodies(loads.agreed)
    const ms: number[] = []
    for (let index = 0; index < 2000; index++) {
      const startMs = performance.now()
      await post(url, next())
      ms.push(performance.now() - startMs)
    }
    return ms
  }
  const [alone, through] = [await latencies(node), await latencies(gateway)]
  const added = [0.5, 0.99].map((share) => (quantile(through, share) - quantile(alone, share)).toFixed(2))
  console.log(`Added to one node, one call at a time: p50 ${added[0]} ms, p99 ${added[1]} ms`)
}
