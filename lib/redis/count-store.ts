import { z } from 'zod'
import type { Gateway } from '#rpc-proxy'
import { prefix } from '../public-names.ts'
import { textAt, unlessNoText } from './redis-connection.ts'
import type { RunningStore, StoreOptions } from './sealed-values.ts'

/** What is older has been stored; a process that is killed loses no more, and learns as late what others count. */
const everyMs = 5000
const dayMs = 86_400_000
/** Processes of a period that are read, and how much of each. */
const processesMax = 256
const indexBytesMax = 64 * 1024
const countBytesMax = 4 * 1024 * 1024

/** What a process counts by period, and tells others. */
type Counts = Pick<Gateway['usage'], 'own' | 'ownPeriods' | 'recent' | 'learn'>

const stored = z.record(z.string(), z.record(z.string(), z.record(z.string(), z.number())))

/** Keeps what callers with keys use, by day: thirteen months can be looked up. */
export const startUsage = ({ usage }: { readonly usage: Counts }, options: StoreOptions) =>
  startCounts(usage, { kind: 'usage', expiresMs: 400 * dayMs }, options)

/** Keeps what nodes do and cost, by hour. */
export const startScorecard = ({ hours }: { readonly hours: Counts }, options: StoreOptions) =>
  startCounts(hours, { kind: 'scorecard', expiresMs: 32 * dayMs }, options)

/**
 * Keeps counts in Redis: of each process and period what it has counted in all, so that storing it twice counts once. Tells the
 * gateway what the other processes have counted, and this one before its start. While Redis is away it counts by itself.
 */
function startCounts(
  counts: Counts,
  { kind, expiresMs }: { readonly kind: 'usage' | 'scorecard'; readonly expiresMs: number },
  { redis, seal }: StoreOptions,
): RunningStore {
  const run = crypto.randomUUID()
  /** The processes that have counted something in a period, a line of each. */
  const indexKey = (period: string) => `${prefix}:${kind}:${period}`
  const countKey = (period: string, process: string) => `${indexKey(period)}:${process}`
  /** As this connection has stored it, by period; empty for one that is over. */
  const written = new Map<string, string>()
  let running: Promise<void> = Promise.resolve()
  redis.onReady(() => {
    // It may have started empty.
    written.clear()
    void next()
    // By then the other processes have told it again what they count.
    setTimeout(() => void next(), everyMs).unref()
  })
  const timer = setInterval(() => void next(2), everyMs)
  timer.unref()

  function next(periods?: number): Promise<void> {
    running = running.then(() => sync(periods)).catch(() => {})
    return running
  }

  async function sync(periods?: number): Promise<void> {
    const own = counts.ownPeriods()
    for (const period of own) await store(period)
    for (const period of written.keys()) if (!own.includes(period)) written.delete(period)
    for (const period of counts.recent(periods)) counts.learn(period, await readOthers(period))
  }

  async function store(period: string): Promise<void> {
    const known = written.get(period)
    if (known === '') return
    const isOver = !counts.recent(1).includes(period)
    const text = JSON.stringify(counts.own(period))
    if (known !== text) {
      const key = countKey(period, run)
      const sealed = seal.close(kind, key, JSON.parse(text))
      await redis.run((client) => client.set(key, sealed, { expiration: { type: 'PX', value: expiresMs } }))
    }
    if (known === undefined)
      await redis.run(async (client) => {
        const key = indexKey(period)
        const processes = await textAt(client, key, indexBytesMax)
        if (!processes.includes(run)) await client.append(key, `${run}\n`).catch(unlessNoText)
        await client.pExpire(key, expiresMs)
      })
    written.set(period, isOver ? '' : text)
  }

  async function readOthers(period: string): Promise<readonly z.infer<typeof stored>[]> {
    const text = await redis.run((client) => textAt(client, indexKey(period), indexBytesMax))
    const runs = new Set(text.split('\n', processesMax))
    const others = [...runs].filter((each) => each !== run && /^[0-9a-f-]{36}$/.test(each))
    const read = await Promise.all(
      others.map(async (each) => {
        const key = countKey(period, each)
        const text = await redis.run((client) => textAt(client, key, countBytesMax))
        return text === '' ? undefined : stored.safeParse(seal.open(kind, key, text)).data
      }),
    )
    return read.filter((value) => value !== undefined)
  }

  return {
    async close() {
      clearInterval(timer)
      await next(0)
    },
  }
}
