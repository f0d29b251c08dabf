import { z } from 'zod'
import { type Gateway, type HistoryStep, historyStepMs, historyStepsMax } from '#rpc-proxy'
import { prefix } from '../public-names.ts'
import { createRedisClient } from './redis-client.ts'
import type { SealedValues } from './sealed-values.ts'

/** A day of history steps, about a kilobyte each. Shared by all gateways. */
const key = `${prefix}:history`
/** Steps per read: an hour. */
const readMax = 360

export interface HistoryStore {
  /** Stores the remaining steps and disconnects. */
  readonly close: () => Promise<void>
}

const sums = z.record(z.string(), z.number())
const storedHistory = z.object({
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
 * Stores the gateway's history in Redis, each step when it is over, and restores what was stored before the start. While Redis
 * is away the steps are retained, a day of them at most; nothing else waits for it.
 */
export function startHistory(
  url: string,
  gateway: Pick<Gateway, 'historyStep' | 'restoreHistory'>,
  { values, now }: { readonly values: SealedValues; readonly now: () => number },
): HistoryStore {
  const by = crypto.randomUUID()
  const stepNow = () => Math.floor(now() / historyStepMs)
  /** Earlier steps are from other gateways, or from this one before its start. */
  const firstOwn = stepNow()
  let next = firstOwn
  let restoring = firstOwn - historyStepsMax
  const client = createRedisClient(url)
  // Not logged: sign-in logs that Redis is away, and nothing is lost here.
  client.on('error', () => {})
  client.on('ready', () => void restore().catch(() => {}))
  void client.connect().catch(() => {})
  let writing: Promise<void> = Promise.resolve()
  const timer = setInterval(() => void previousWrite(stepNow()), historyStepMs)
  timer.unref()

  /** One after the other: a step that one run has passed over would be lost if the other run failed at it. */
  function previousWrite(end: number): Promise<void> {
    writing = writing.then(() => appendHistory(end)).catch(() => {})
    return writing
  }

  async function restore(): Promise<void> {
    // If Redis goes away in between, it continues from there: steps restored twice would count twice.
    while (restoring < firstOwn) {
      const to = Math.min(restoring + readMax, firstOwn)
      const texts = await client.zRangeByScore(key, restoring, to - 1)
      const steps = texts.flatMap((text) => read(values.open('history', key, text)))
      // Of another time than it stands at, it would be counted twice.
      gateway.restoreHistory(steps.filter(({ step }) => step >= restoring && step < to))
      restoring = to
    }
  }

  /** Stores the steps before `end`. */
  async function appendHistory(end: number): Promise<void> {
    // First, because a full Redis takes nothing before something has gone.
    await client.zRemRangeByScore(key, '-inf', end - historyStepsMax)
    for (next = Math.max(next, end - historyStepsMax); next < end; next++) {
      const step = gateway.historyStep(next)
      if (step !== null)
        await client.zAdd(key, { score: next, value: values.close('history', key, { ...step, by }) })
    }
  }

  return {
    async close() {
      clearInterval(timer)
      // The current step too, because the process is stopping.
      await previousWrite(stepNow() + 1)
      client.destroy()
    },
  }
}

function read(value: unknown): HistoryStep[] {
  const { data } = storedHistory.safeParse(value)
  return data === undefined ? [] : [data]
}
