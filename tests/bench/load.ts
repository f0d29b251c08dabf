import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import autocannon from 'autocannon'

export interface Load {
  readonly url: string
  /** One call. `ACCOUNT` in it becomes 40 hex digits that nobody has asked for before. */
  readonly text: string
  /** Calls in a request: more than one make a batch. */
  readonly callsEach: number
  /** Each sends its next request when the one before is answered. */
  readonly connections: number
  readonly seconds: number
}

export interface Measured {
  readonly calls: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly errors: number
}

const hasWrk = spawnSync('wrk', ['--version']).error === undefined
let runs = 0
/** Of each run its own: eight hex digits that the accounts of its calls begin with. */
const nextRun = () => (runs++).toString(16).padStart(8, '0')

/** What sends the load: `wrk` costs the machine little; where it is not installed, `autocannon` takes a good half of a core. */
export const generator = hasWrk ? 'wrk' : 'autocannon'

/** Keeps so many requests in flight for some seconds. What is not a 200 counts as an error. */
export function measure(load: Load): Promise<Measured> {
  return hasWrk ? byWrk(load) : byAutocannon(load)
}

/** Bodies that are never the same twice, where the text has an account to fill in. */
export function bodies({ text, callsEach }: Pick<Load, 'text' | 'callsEach'>): () => string {
  const run = nextRun()
  let count = 0
  const call = () => text.replaceAll('ACCOUNT', () => run + (count++).toString(16).padStart(32, '0'))
  return () => (callsEach === 1 ? call() : `[${Array.from({ length: callsEach }, call).join(',')}]`)
}

async function byWrk({ url, text, callsEach, connections, seconds }: Load): Promise<Measured> {
  const script = join(import.meta.dirname, 'load.lua')
  const { stdout } = await promisify(execFile)('wrk', [
    ...['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '-s', script, url],
    ...['--', text, String(callsEach), nextRun()],
  ])
  const said = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  const calls = said.requests * callsEach
  return {
    calls,
    perSecond: calls / (said.durationUs / 1e6),
    p50Ms: said.p50Us / 1000,
    p99Ms: said.p99Us / 1000,
    errors: said.errors,
  }
}

async function byAutocannon({ url, text, callsEach, connections, seconds }: Load): Promise<Measured> {
  const next = bodies({ text, callsEach })
  const { requests, latency, errors, non2xx, duration } = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: [
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        setupRequest: (request) => ({ ...request, body: next() }),
      },
    ],
  })
  const calls = requests.total * callsEach
  return {
    calls,
    perSecond: calls / duration,
    p50Ms: latency.p50,
    p99Ms: latency.p99,
    errors: errors + non2xx,
  }
}

export async function post(url: string, body: string): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  return (await fetch(url, { method: 'POST', headers, body })).text()
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

export function quantile(values: readonly number[], part: number): number {
  const index = Math.min(values.length - 1, Math.floor(values.length * part))
  return values.toSorted((one, other) => one - other)[index] ?? Number.NaN
}
