import { parseArgs } from 'node:util'
import { type LoadResult, openLoop } from './load/open-loop.ts'
import { type ScenarioName, scenarios } from './load/scenarios.ts'

/** `npm run load -- --url http://127.0.0.1:3000 --scenario read`: load on a schedule, and what came of it. */
const usage = `npm run load -- --url URL --scenario ${Object.keys(scenarios(1)).join('|')}
  [--chain 137, or several in turn: 1,137,42161] [--rate 200 requests/s] [--seconds 10] [--calls 450, of a burst]
  [--seed 1] [--json] [--anywhere, else loopback only]
Ends with 1 when nothing was answered well, after a burst when anything was not.`

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:3000' },
    scenario: { type: 'string', default: 'mixed' },
    chain: { type: 'string', default: '137' },
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '10' },
    calls: { type: 'string', default: '450' },
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
const rows = scenarios(positive('seed', values.seed))
if (!Object.hasOwn(rows, values.scenario)) end(1, `no scenario ${values.scenario}\n${usage}`)

const isBurst = values.scenario === 'burst'
const perSecond = isBurst ? Number.POSITIVE_INFINITY : positive('rate', values.rate)
const total = isBurst
  ? positive('calls', values.calls)
  : Math.round(perSecond * positive('seconds', values.seconds))
const urls = values.chain.split(',').map((chain) => `${origin}/api/rpc/${positive('chain', chain)}`)
const result = await openLoop({ urls, scenario: rows[values.scenario as ScenarioName], perSecond, total })
console.log(values.json ? JSON.stringify(summary(result)) : report(result))
process.exit(result.latenciesMs.length < (isBurst ? total : 1) ? 1 : 0)

function summary({ sent, seconds: spent, latenciesMs, errors, caches }: LoadResult) {
  const at = (share: number) => round(latenciesMs[Math.ceil(latenciesMs.length * share) - 1] ?? Number.NaN)
  return {
    scenario: values.scenario,
    sent,
    good: latenciesMs.length,
    perSecond: round(latenciesMs.length / spent),
    latencyMs: { p50: at(0.5), p90: at(0.9), p99: at(0.99), p999: at(0.999), max: at(1) },
    caches,
    errors,
  }
}

function report(result: LoadResult): string {
  const { sent, good, perSecond: reached, latencyMs, caches, errors } = summary(result)
  const { p50, p90, p99, p999, max } = latencyMs
  const counts = (of: Readonly<Record<string, number>>) =>
    Object.entries(of)
      .sort(([, one], [, other]) => other - one)
      .map(([what, count]) => `${count} ${what}`)
      .join(', ') || 'none'
  return [
    `${values.scenario}, ${total} ${isBurst ? 'at once' : `at ${perSecond}/s`}, seed ${values.seed}: ${urls.join(', ')}`,
    `  sent     ${sent}`,
    `  good     ${good} (${reached}/s)`,
    `  latency  p50 ${p50} ms, p90 ${p90}, p99 ${p99}, p99.9 ${p999}, max ${max} (from when each was due)`,
    `  cache    ${counts(caches)}`,
    `  errors   ${counts(errors)}`,
  ].join('\n')
}

function positive(name: string, text: string): number {
  const value = Number(text)
  return value > 0 && Number.isFinite(value) ? value : end(1, `--${name} must be a number above 0\n${usage}`)
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

function end(code: number, words: string): never {
  console.error(words)
  process.exit(code)
}
