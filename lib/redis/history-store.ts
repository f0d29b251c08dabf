import { z } from 'zod'
import { type Gateway, type HistoryStep, historyStepMs, historyStepsMax } from '#rpc-proxy'
import { prefix } from '../public-names.ts'
import { textAt, unlessNoText } from './redis-connection.ts'
import type { RunningStore, StoreOptions } from './sealed-values.ts'

/** What all gateways saw in a step: a line of each, about a kilobyte. It expires after a day. */
const keyOf = (step: number) => `${prefix}:history:${step}`
/** More of a step is not read. */
const stepBytesMax = 1024 * 1024
const linesMax = 256
/** Nor more in all: that is ten gateways' day. */
const restoreBytesMax = 512 * 1024 * 1024
/** Steps per read. */
const readMax = 8

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
  gateway: Pick<Gateway, 'historyStep' | 'restoreHistory'>,
  { redis, seal, now }: StoreOptions,
): RunningStore {
  const by = crypto.randomUUID()
  const stepNow = () => Math.floor(now() / historyStepMs)
  /** Earlier steps are from other gateways, or from this one before its start. */
  const firstOwn = stepNow()
  let next = firstOwn
  let restoring = firstOwn - historyStepsMax
  let bytesLeft = restoreBytesMax
  redis.onReady(() => void restore().catch(() => {}))
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
    for (; restoring < firstOwn && bytesLeft > 0; restoring += readMax) {
      const length = Math.min(readMax, firstOwn - restoring)
      const keys = Array.from({ length }, (_, at) => keyOf(restoring + at))
      const texts = await redis.run((client) =>
        Promise.all(keys.map((key) => textAt(client, key, stepBytesMax))),
      )
      for (const text of texts) bytesLeft -= text.length
      gateway.restoreHistory(texts.flatMap((text, at) => stepsIn(text, keys[at] ?? '')))
    }
  }

  /** Each line counts once, however often it is there. */
  function stepsIn(text: string, key: string): HistoryStep[] {
    const lines = new Set(text.split('\n', linesMax).filter((line) => line !== ''))
    return [...lines].flatMap((line) => storedHistory.safeParse(seal.open('history', key, line)).data ?? [])
  }

  /** Stores the steps before `end`. */
  async function appendHistory(end: number): Promise<void> {
    for (next = Math.max(next, end - historyStepsMax); next < end; next++) {
      const step = gateway.historyStep(next)
      if (step === null) continue
      const key = keyOf(next)
      const line = `${seal.close('history', key, { ...step, by })}\n`
      await redis.run((client) =>
        Promise.all([
          client.append(key, line).catch(unlessNoText),
          client.pExpire(key, historyStepsMax * historyStepMs),
        ]),
      )
    }
  }

  return {
    async close() {
      clearInterval(timer)
      // The current step too, because the process is stopping.
      await previousWrite(stepNow() + 1)
    },
  }
}
