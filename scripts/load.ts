import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { attacks } from './load/attacks.ts'
import { readRequests, rotateFaults } from './load/gateway.ts'
import { type LoadOptions, openLoop } from './load/open-loop.ts'
import { judgeOverload, type Percentiles, type Report, type Run, runOf } from './load/report.ts'
import { type Scenario, type ScenarioName, scenarios } from './load/scenarios.ts'
import { listen } from './load/sockets.ts'
import { transfers } from './load/writes.ts'

/** `npm run load -- --url http://127.0.0.1:3000 --scenario read`: load at a constant rate, and what came of it. */
const usage = `npm run load -- --url URL --scenario ${Object.keys(scenarios(1)).join('|')}|writes|overload|soak|siege|sockets
  [--chain 137, or several in turn: 1,137,42161] [--rate 200 requests/s, 20 of wallet and batch] [--seconds 10] [--calls 450, of burst and writes]
  [--sockets 1000, and --pid of the gateway, whose memory is printed] [--seed 1] [--json] [--anywhere, else loopback only]
  [--control http://127.0.0.1:8540/control, of the local nodes that soak gives faults]
overload looks for the highest rate that is answered, from --rate on, then sends five times as much.
soak reads accounts that have nothing while one fault after the other is given to one node after the other; every result must be 0x0.
siege sends 10 reads a second of an honest caller beside each attack (--attack pages takes one).
sockets subscribe ten times each to newHeads: times are from when a block is agreed to each of its messages.
For siege and sockets the gateway must have rate.trustedHops 1.
Asks per call and memory need OPERATOR_TOKEN. Ends with 1 when nothing was answered well, or burst, writes, overload, soak, siege or sockets was
not as it should.`

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:3000' },
    scenario: { type: 'string', default: 'mixed' },
    chain: { type: 'string', default: '137' },
    rate: { type: 'string' },
    seconds: { type: 'string', default: '10' },
    calls: { type: 'string', default: '450' },
    control: { type: 'string', default: 'http://127.0.0.1:8540/control' },
    attack: { type: 'string', default: '' },
    sockets: { type: 'string', default: '1000' },
    pid: { type: 'string' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    anywhere: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) end(0, usage)
if (!URL.canParse(values.url)) end(1, `${values.url} is no URL\n${usage}`)
const { origin, hostname } = new URL(values.url)
// Load on somebody else's machine is an attack, and public nodes would pay for it.
if (!values.anywhere && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname))
  end(1, `${hostname} is not this machine; --anywhere says that it may take this load`)

/** The search for the peak: seconds at each rate, how much faster the next, and where this program itself is what is slow. */
const climbS = 3
const climb = 1.5
const rateMax = 20_000
/** A read may fail while a fault moves to another node, or an attack begins. */
const answeredShareMin = 0.999
const siegeFailedShareMax = 0.02

/** Each of their requests is two to twenty calls. */
const batches = new Set(['wallet', 'batch'])

const seed = positive('seed', values.seed)
const rate = positive('rate', values.rate ?? (batches.has(values.scenario) ? '20' : '200'))
const seconds = positive('seconds', values.seconds)
const calls = positive('calls', values.calls)
const urls = values.chain.split(',').map((chain) => `${origin}/api/rpc/${positive('chain', chain)}`)
const startedAt = new Date().toISOString()
let isWell = true
const runs = await runScenario(values.scenario)
const report: Report = { version: 1, scenario: values.scenario, urls, startedAt, seed, runs }

console.log(values.json ? JSON.stringify(report) : runs.map(words).join('\n'))
process.exit(isWell && runs.every(({ good }) => good > 0) ? 0 : 1)

async function runScenario(name: string): Promise<readonly Run[]> {
  const rows = scenarios(seed)
  if (name === 'overload') return overload(rows.cached)
  if (name === 'writes') {
    // Nonces belong to one chain.
    if (urls.length > 1) return end(1, 'writes goes to one --chain')
    return burst(name, await transfers(urls[0] ?? '', calls))
  }
  if (name === 'soak') return soak(rows.read)
  if (name === 'siege') return siege(rows.read)
  if (name === 'sockets') return listeners()
  if (!Object.hasOwn(rows, name)) return end(1, `no scenario ${name}\n${usage}`)
  const scenario = rows[name as ScenarioName]
  return name === 'burst' ? burst(name, scenario) : [await send(name, scenario, rate, seconds)]
}

/** All at once, and every one of them must be answered. */
async function burst(name: string, scenario: Scenario): Promise<readonly Run[]> {
  const run = await measure(name, { scenario, perSecond: Number.POSITIVE_INFINITY, total: calls })
  isWell = run.good === calls
  return [run]
}

/** A fault at one node at a time is no quorum: nothing may be wrong, and next to nothing unanswered. */
async function soak(scenario: Scenario): Promise<readonly Run[]> {
  const faults = rotateFaults(values.control)
  try {
    const run = await measure('soak', {
      ...{ scenario, perSecond: rate, total: Math.round(rate * seconds) },
      isRight: (text) => text.includes('"result":"0x0"'),
    })
    isWell = run.errors.wrong === undefined && run.good >= run.sent * answeredShareMin
    return [run]
  } finally {
    await faults.end()
  }
}

async function siege(scenario: Scenario): Promise<readonly Run[]> {
  const port = Number(new URL(origin).port || 80)
  const target = { port, chainId: Number(values.chain.split(',')[0]) }
  const found: Run[] = []
  for (const [name, attack] of Object.entries(attacks)) {
    if (!name.includes(values.attack)) continue
    const { end: endAttack } = attack(target)
    const load = { scenario, perSecond: 10, total: 10 * seconds }
    found.push(await measure(name, { ...load, headers: { 'x-forwarded-for': '203.0.113.9' } }))
    endAttack()
  }
  isWell = found.every(({ good, sent }) => good >= sent * (1 - siegeFailedShareMax))
  return found
}

/** Every message of every block arrives, and no socket is closed. */
async function listeners(): Promise<readonly Run[]> {
  const sockets = positive('sockets', values.sockets)
  const [url = ''] = urls
  const beforeMb = residentMb()
  let mostMb = beforeMb
  const onProgress = (text: string) => {
    mostMb = Math.max(mostMb, residentMb())
    console.error(text)
  }
  const result = await listen({ url, sockets, seconds, onProgress })
  const run = runOf('sockets', result, result.sent / seconds, null)
  isWell = run.good === run.sent && Object.keys(run.errors).length === 0
  return [{ ...run, ...(values.pid !== undefined && { moreMb: Math.round(mostMb - beforeMb) }) }]
}

/** MiB that the gateway has in memory. */
function residentMb(): number {
  if (values.pid === undefined) return 0
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${values.pid}/status`, 'utf8'))?.[1]) / 1024
}

function send(name: string, scenario: Scenario, perSecond: number, forS: number): Promise<Run> {
  return measure(name, { scenario, perSecond, total: Math.round(perSecond * forS) })
}

async function measure(
  name: string,
  load: Pick<LoadOptions, 'scenario' | 'perSecond' | 'total' | 'headers' | 'isRight'>,
): Promise<Run> {
  const before = await readRequests(origin)
  const startMs = performance.now()
  const result = await openLoop({
    ...load,
    urls,
    onProgress: ({ sent, good, failed, inFlight }) => {
      const s = Math.round((performance.now() - startMs) / 1000)
      console.error(
        `[${s} s] ${name}: ${sent} of ${load.total} sent, ${good} good, ${failed} failed, ${inFlight} in flight`,
      )
    },
  })
  const after = await readRequests(origin)
  const requests =
    before === null || after === null
      ? null
      : (after.requests - before.requests) / (after.calls - before.calls)
  return runOf(name, result, load.perSecond, Number.isFinite(requests) ? requests : null)
}

async function overload(scenario: Scenario): Promise<readonly Run[]> {
  await send('warm-up', scenario, rate, 2 * climbS)
  let peak: Run | undefined
  let misses = 0
  // One miss may be the machine's; the second in a row is the gateway's.
  for (let tried = rate; tried <= rateMax && misses < 2; tried *= climb) {
    const run = await send('peak', scenario, Math.round(tried), climbS)
    const isAnswered = run.good >= 0.99 * run.sent && (run.latencyMs.p99 ?? 1000) <= 250
    misses = isAnswered ? 0 : misses + 1
    if (isAnswered) peak = run
  }
  if (peak?.perSecondWanted == null) return end(1, `${rate}/s is past the peak already: begin lower`)
  const run = await send('5x', scenario, 5 * peak.perSecondWanted, seconds)
  for (const { text, holds } of judgeOverload(peak, run)) {
    console.error(`${holds ? 'ok    ' : 'FAILED'} ${text}`)
    isWell &&= holds
  }
  return [peak, run]
}

function words(run: Run): string {
  const rate = run.perSecondWanted === null ? 'at once' : `at ${run.perSecondWanted}/s`
  return [
    `${run.name}, ${run.sent} ${rate}, seed ${seed}: ${urls.join(', ')}`,
    `  good     ${run.good} (${run.perSecond}/s)`,
    `  latency  ${listed(run.latencyMs)} (from when each was due)`,
    ...(run.refusedMs.max === null ? [] : [`  refused  ${listed(run.refusedMs)}`]),
    `  sent     ${listed(run.unsentMs)} after it was due, by this program`,
    ...(run.requestsPerCall === null ? [] : [`  asks     ${run.requestsPerCall} a call`]),
    ...(run.moreMb === undefined ? [] : [`  memory   ${run.moreMb} MiB more`]),
    `  cache    ${counts(run.caches)}`,
    `  errors   ${counts(run.errors)}`,
  ].join('\n')
}

function listed({ p50, p90, p99, p999, max }: Percentiles): string {
  return `p50 ${p50} ms, p90 ${p90}, p99 ${p99}, p99.9 ${p999}, max ${max}`
}

function counts(of: Readonly<Record<string, number>>): string {
  const sorted = Object.entries(of).sort(([, one], [, other]) => other - one)
  return sorted.map(([what, count]) => `${count} ${what}`).join(', ') || 'none'
}

function positive(name: string, text: string): number {
  const value = Number(text)
  return value > 0 && Number.isFinite(value) ? value : end(1, `--${name} must be a number above 0\n${usage}`)
}

function end(code: number, words: string): never {
  console.error(words)
  process.exit(code)
}
