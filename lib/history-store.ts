import { z } from 'zod'
import { type Gateway, type HistoryStep, historyStepMs, historyStepsMax } from '#rpc-proxy'
import { parseJson } from './json.ts'
import { prefix } from './names.ts'
import { createRedisClient } from './redis-client.ts'

/** Sums of a day, some kilobyte each; of several gateways, those of all of them. */
const key = `${prefix}:history`
/** Steps that are read at once: an hour. */
const readMax = 360

export interface HistoryStore {
  /** Keeps what has not been kept yet, and leaves. */
  readonly close: () => Promise<void>
}

const sums = z.record(z.string(), z.number())
const kept = z.object({
  step: z.int(),
  chains: z.array(
    z.object({
      chainId: z.int(),
      sums,
      nodes: z.array(z.object({ node: z.string(), sums })),
    }),
  ),
})

/**
 * Keeps the gateway's history in Redis, each step once it is over, and gives it back what was kept before its start. While Redis is
 * away steps wait, a day of them at most; nothing else waits for it.
 */
export function keepHistory(
  url: string,
  gateway: Pick<Gateway, 'historyStep' | 'restoreHistory'>,
  now: () => number,
): HistoryStore {
  const by = crypto.randomUUID()
  const stepNow = () => Math.floor(now() / historyStepMs)
  /** What comes before is of others, or of this gateway before its start. */
  const firstOwn = stepNow()
  let next = firstOwn
  let restoring = firstOwn - historyStepsMax
  const client = createRedisClient(url)
  // Sign-in tells that Redis is away; here nothing is lost by it.
  client.on('error', () => {})
  client.on('ready', () => void restore().catch(() => {}))
  void client.connect().catch(() => {})
  const timer = setInterval(() => void keep(stepNow()).catch(() => {}), historyStepMs)
  timer.unref()

  async function restore(): Promise<void> {
    // Where Redis goes away in between, it goes on there: what is added twice would count twice.
    while (restoring < firstOwn) {
      const to = Math.min(restoring + readMax, firstOwn)
      const texts = await client.zRangeByScore(key, restoring, to - 1)
      gateway.restoreHistory(texts.flatMap(read))
      restoring = to
    }
  }

  /** Keeps the steps before `end`. */
  async function keep(end: number): Promise<void> {
    for (next = Math.max(next, end - historyStepsMax); next < end; next++) {
      const step = gateway.historyStep(next)
      if (step !== null) await client.zAdd(key, { score: next, value: JSON.stringify({ ...step, by }) })
    }
    await client.zRemRangeByScore(key, '-inf', end - historyStepsMax)
  }

  return {
    async close() {
      clearInterval(timer)
      // The step that is now, too: there will be no more of it.
      await keep(stepNow() + 1).catch(() => {})
      client.destroy()
    },
  }
}

function read(text: string): HistoryStep[] {
  const { data } = kept.safeParse(parseJson(text))
  return data === undefined ? [] : [data]
}
