import { freePort } from '../../demo/ports.ts'
import { endRedis, startRedis } from '../support/redis.ts'
import { type Measured, measure, median } from './load.ts'
import { processorUs, startPeer, startServer, stop, stopAll } from './processes.ts'
import { callFor, settings } from './rpc.ts'

const secondsEach = Number(process.env.BENCH_SECONDS ?? 3)
const rounds = 3
/** At each gateway. */
const connections = 16

interface Outcome {
  readonly perSecond: number
  /** Processor time of all gateways. */
  readonly usPerCall: number
}

/**
 * One gateway under load, and two under as much each, all with one Redis: calls per second, and what a call costs of all their processor
 * time.
 */
export async function benchReplicas(): Promise<void> {
  const port = await freePort()
  const redis = await startRedis(port)
  try {
    const nodes = await Promise.all([startPeer('node.ts'), startPeer('node.ts'), startPeer('node.ts')])
    const env = {
      ...settings(nodes),
      REDIS_URL: `redis://127.0.0.1:${port}`,
      SESSION_SECRET: 'the-same-secret-for-both-of-them',
    }
    const start = () => startServer(['server.ts', '--rpc-only'], env, '/api/rpc/ready')
    const [one, two] = [await start(), await start()]
    for (const [what, text] of [
      ['a cached result', callFor('1'.repeat(40))],
      ['a result that two of three nodes agree on', callFor('ACCOUNT')],
    ] as const) {
      for (const url of [one, two]) await load([url], text)
      const [alone, both]: [Outcome[], Outcome[]] = [[], []]
      for (let round = 0; round < rounds; round += 1) {
        alone.push(await load([one], text))
        both.push(await load([one, two], text))
      }
      const [ofOne, ofTwo] = [middle(alone), middle(both)]
      console.log(
        `${what}: ${ofOne.perSecond.toFixed(0)} calls/s of one, ${ofTwo.perSecond.toFixed(0)} of two: ${(ofTwo.perSecond / ofOne.perSecond).toFixed(2)} x (aim: 1.8 x)`,
      )
      console.log(
        `  ${ofOne.usPerCall.toFixed(0)} µs a call of one, ${ofTwo.usPerCall.toFixed(0)} of two: ${(ofTwo.usPerCall / ofOne.usPerCall).toFixed(2)} x (aim: 1.15 x)`,
      )
    }
    await Promise.all([one, two, ...nodes].map(stop))
  } finally {
    stopAll()
    await endRedis(redis)
  }
}

/** Load on one gateway, or as much on each of several. */
async function load(urls: readonly string[], text: string): Promise<Outcome> {
  const usedUs = () => urls.reduce((sum, url) => sum + processorUs(url), 0)
  const before = usedUs()
  const parts = await Promise.all(
    urls.map((url) =>
      measure({
        ...{ url: `${url}/api/rpc/137`, text, callsEach: 1, seconds: secondsEach },
        connections,
      }),
    ),
  )
  const sum = (of: (part: Measured) => number) => parts.reduce((total, part) => total + of(part), 0)
  if (sum(({ errors }) => errors) > 0) throw new Error(`${sum(({ errors }) => errors)} errors`)
  return {
    perSecond: sum(({ perSecond }) => perSecond),
    usPerCall: (usedUs() - before) / sum(({ calls }) => calls),
  }
}

function middle(outcomes: readonly Outcome[]): Outcome {
  const of = (key: keyof Outcome) => median(outcomes.map((each) => each[key]))
  return { perSecond: of('perSecond'), usPerCall: of('usPerCall') }
}
