import { parseArgs } from 'node:util'
import { startNodes } from '../../demo/nodes/start.ts'
import { heal, rotate } from './faults.ts'
import { heapGrowth, heapPerCached, rssGrowth, type Sample } from './growth.ts'
import { startHost } from './host.ts'
import { atFullSpeed, createLoad, good, keepSending } from './load.ts'
import { chainId, honest } from './truth.ts'

/**
 * `npm run soak -- --minutes 5`: the Node host at half of its capacity, with rotating faults on its nodes; then without load,
 * to find leftovers. Prints a table and exits with 1 if an answer was wrong, memory grew, or resources were left.
 */
const { values } = parseArgs({ options: { minutes: { type: 'string', default: '5' } } })

const rotateEveryMs = 5000
const sampleEveryMs = 5000
/** Megabytes a minute over the last half. Disputes are kept for a day, up to their own bound. */
const heapGrowthMax = 4
const rssGrowthMax = 12
/** Share of failed requests. A call may fail when a fault moves to other nodes during it. */
const unansweredShareMax = 0.001
/** The deadline plus a tolerance for a machine with two cores. */
const slowestMsMax = 9000
/** Megabytes: stored answers, 256 for replies in flight, compressed and decompressed, and allocator overhead. */
const rssMax = 1536
const restMs = 5000
const restSpentMsMax = 100
const stopMsMax = 3000

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const names = ['a', 'b', 'c', 'd', 'e', 'f']
const nodes = await startNodes({
  chainUrl: (await truth()).url,
  nodes: names.map((name) => ({ name, faultProfile: honest, requestsMax: 100 })),
})
const host = await startHost({
  chains: [
    {
      id: chainId,
      nodes: nodes.nodes.map(({ name, url }) => ({ name, url, inFlightMax: 256, batchCallsMax: 20 })),
    },
  ],
  rate: null,
})
process.on('exit', host.kill)
const { files: filesAtFirst } = await host.held()

const load = createLoad(host.url, `/api/rpc/${chainId}`)
const empty = await sample()
await atFullSpeed(load.fill, 4, 20)
const perCached = heapPerCached(empty, await sample())
const capacity = await atFullSpeed(load.send, 32, 6)
const perSecond = Math.round(capacity / 2)
console.log(`capacity ${capacity.toFixed(0)} requests/s; ${perSecond}/s for ${values.minutes} minutes`)

const endMs = performance.now() + Number(values.minutes) * 60_000
const isOver = () => performance.now() >= endMs
const samples: Sample[] = []
/** Latency by fault. */
const met = new Map<string, { readonly maxMs: number; readonly p99Ms: number }>()
await Promise.all([keepSending(load, perSecond, isOver), troubled(), watched()])
await heal(nodes)

const rows: Row[] = [...answers(), ...memory(), ...(await remains())]
for (const { what, value, limit, holds } of rows)
  console.log(`${holds ? 'holds ' : 'BROKEN'}  ${what.padEnd(44)} ${value.padStart(12)}   ${limit}`)
process.exitCode = rows.every(({ holds }) => holds) ? 0 : 1
await nodes.stop()
process.exit()

interface Row {
  readonly what: string
  readonly value: string
  readonly limit: string
  readonly holds: boolean
}

async function truth() {
  const {
    nodes: [node],
  } = await startNodes({ nodes: [{ name: 'truth', faultProfile: honest, requestsMax: 100 }] })
  return node as { readonly url: string }
}

async function troubled(): Promise<void> {
  for (let turn = 0; !isOver(); turn++) {
    const fault = await rotate(nodes, turn)
    load.takeSlowest()
    await wait(rotateEveryMs)
    const slowest = load.takeSlowest()
    if (slowest.maxMs >= (met.get(fault)?.maxMs ?? 0)) met.set(fault, slowest)
  }
}

async function watched(): Promise<void> {
  while (!isOver()) {
    samples.push(await sample())
    await wait(sampleEveryMs)
  }
}

function answers(): readonly Row[] {
  const all = [...load.outcomes.values()].reduce((sum, count) => sum + count, 0)
  const wrong = [...load.outcomes].filter(([kind]) => kind.startsWith('wrong'))
  const right = load.outcomes.get(good) ?? 0
  const unanswered = all - right - wrong.reduce((sum, [, count]) => sum + count, 0)
  for (const [kind, count] of load.outcomes) if (kind !== good) console.log(`        ${count} x ${kind}`)
  const slowestMs = Math.max(...[...met.values()].map(({ maxMs }) => maxMs))
  for (const [fault, { p99Ms, maxMs }] of met)
    console.log(
      `        ${fault.padEnd(40)} p99 ${p99Ms.toFixed(0).padStart(5)} ms, max ${maxMs.toFixed(0).padStart(5)} ms`,
    )
  return [
    row('requests', all, '', all > 0),
    row('kinds of fault met', met.size, '', met.size > 0),
    row('wrong answers', wrong.length, '0', wrong.length === 0),
    row('not answered', unanswered, `${unansweredShareMax * 100} %`, unanswered <= all * unansweredShareMax),
    row('slowest, ms', slowestMs.toFixed(0), `${slowestMsMax}`, slowestMs <= slowestMsMax),
  ]
}

async function sample(): Promise<Sample> {
  const { cache } = await host.snapshot()
  return { atMs: performance.now(), cacheBytes: cache.bytes, ...(await host.held()) }
}

function memory(): readonly Row[] {
  const half = samples.slice(samples.length >> 1)
  const [heap, rss] = [heapGrowth(half, perCached), rssGrowth(half, perCached)]
  const last = samples.at(-1)
  const rssPeak = Math.max(...samples.map(({ rssBytes }) => rssBytes))
  return [
    row('live heap at the end, MB', megabytes(last?.heapBytes ?? 0), '', true),
    row('of it remembered answers, MB', megabytes((last?.cacheBytes ?? 0) * perCached), '', true),
    row('live heap but for those, MB a minute', heap.toFixed(2), `${heapGrowthMax}`, heap <= heapGrowthMax),
    row('resident at most, MB', megabytes(rssPeak), `${rssMax}`, rssPeak <= rssMax * 1024 ** 2),
    row('resident but for those, MB a minute', rss.toFixed(2), `${rssGrowthMax}`, rss <= rssGrowthMax),
  ]
}

/** Resources left without load, after all connections were closed. */
async function remains(): Promise<readonly Row[]> {
  const snapshot = await settled(
    () => host.snapshot(),
    ({ inFlight }) => inFlight.requests + inFlight.upstreamRequests === 0,
  )
  const breaches = snapshot.counters.filter(({ name, value }) => name.endsWith('breaches_total') && value > 0)
  await load.close()
  await nodes.stop()
  const { files, spentMs } = await settled(host.held, (held) => held.files <= filesAtFirst + 2)
  await wait(restMs)
  const held = await host.held()
  const spent = held.spentBeforeMs - spentMs
  const { code, ms } = await host.stop()
  return [
    row('breaches', breaches.length, '0', breaches.length === 0),
    row(
      'asks and requests in flight',
      snapshot.inFlight.upstreamRequests + snapshot.inFlight.requests,
      '0',
      snapshot.inFlight.upstreamRequests + snapshot.inFlight.requests === 0,
    ),
    row('open files', files, `${filesAtFirst} at first`, files <= filesAtFirst + 2),
    row('sockets', held.sockets, '1 of this check', held.sockets <= 1),
    row('timers', held.timers, '2 of Node’s own', held.timers <= 2),
    row(`processor in ${restMs / 1000} s of rest, ms`, spent, `${restSpentMsMax}`, spent <= restSpentMsMax),
    row('end on SIGTERM, ms', ms.toFixed(0), `${stopMsMax}, with 0`, code === 0 && ms <= stopMsMax),
  ]
}

/** Polls until the condition holds, for at most ten seconds; then returns the state. */
async function settled<Value>(look: () => Promise<Value>, holds: (value: Value) => boolean): Promise<Value> {
  for (let tries = 0; tries < 100; tries++) {
    const value = await look()
    if (holds(value)) return value
    await wait(100)
  }
  return look()
}

function megabytes(bytes: number): string {
  return (bytes / 1024 ** 2).toFixed(1)
}

function row(what: string, value: number | string, limit: string, holds: boolean): Row {
  return { what, value: String(value), limit, holds }
}
