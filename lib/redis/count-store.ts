import { z } from 'zod'
import type { Gateway } from '#rpc-proxy'
import { prefix } from '../public-names.ts'
import { textAt, unlessNoText } from './bounded-text.ts'
import { createRedisClient } from './redis-client.ts'
import type { StoreOptions } from './sealed-values.ts'

/** What is older has been stored; a process that is killed loses no more, and learns as late what others count. */
const everyMs = 5000
const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Processes of a period that are read, and how much of each. */
const processesMax = 256
const indexBytesMax = 64 * 1024
const countBytesMax = 4 * 1024 * 1024

/** What a process counts by period: days as `2026-11-27`, hours as `2026-11-27T14`. */
interface Counts<Value> {
  readonly own: (period: string) => Value
  readonly ownPeriods: () => readonly string[]
  /** What each of the others has counted, in place of what was known of them. */
  readonly learn: (period: string, others: readonly Value[]) => void
}

interface CountKind<Value> {
  readonly kind: 'usage' | 'scorecard'
  readonly schema: z.ZodType<Value>
  readonly periodMs: number
  /** Periods that are read at the start. */
  readonly periodsRead: number
  readonly expiresMs: number
}

export interface CountStore {
  /** Stores what is left and disconnects. */
  readonly close: () => Promise<void>
}

const sums = z.record(z.string(), z.number())
const usageKind = {
  kind: 'usage',
  schema: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({ calls: z.number(), units: z.number(), cacheHits: z.number(), errors: z.number() }),
    ),
  ),
  periodMs: dayMs,
  // The current month and the one before; thirteen months can be looked up.
  periodsRead: 62,
  expiresMs: 400 * dayMs,
} as const satisfies CountKind<unknown>
const scorecardKind = {
  kind: 'scorecard',
  schema: z.record(z.string(), z.record(z.string(), sums)),
  periodMs: hourMs,
  periodsRead: 31 * 24,
  expiresMs: 32 * dayMs,
} as const satisfies CountKind<unknown>

/** Keeps what callers with keys use, by day. */
export const startUsage = (
  url: string,
  { usage }: { readonly usage: Pick<Gateway['usage'], keyof Counts<unknown>> },
  options: StoreOptions,
): CountStore => startCounts(url, usage, usageKind, options)

/** Keeps what nodes do and cost, by hour. */
export const startScorecard = (
  url: string,
  { hours }: { readonly hours: Pick<Gateway['hours'], keyof Counts<unknown>> },
  options: StoreOptions,
): CountStore => startCounts(url, hours, scorecardKind, options)

/**
 * Keeps counts in Redis: of each process and period what it has counted in all, so that storing it twice counts once. Tells the
 * gateway what the other processes have counted, and this one before its start. While Redis is away it counts by itself.
 */
function startCounts<Value>(
  url: string,
  counts: Counts<Value>,
  { kind, schema, periodMs, periodsRead, expiresMs }: CountKind<Value>,
  { values, now, onRejected }: StoreOptions,
): CountStore {
  const run = crypto.randomUUID()
  const nameOf = (ms: number) => new Date(ms).toISOString().slice(0, periodMs === dayMs ? 10 : 13)
  /** The processes that have counted something in a period, a line of each. */
  const indexKey = (period: string) => `${prefix}:${kind}:${period}`
  const countKey = (period: string, process: string) => `${indexKey(period)}:${process}`
  /** As it is stored, by period; empty for one that is over. */
  const stored = new Map<string, string>()
  const client = createRedisClient(url, onRejected)
  client.on('error', () => {})
  // What an earlier connection has read may be old.
  client.on('ready', () => void next(periodsRead))
  void client.connect().catch(() => {})
  let running: Promise<void> = Promise.resolve()
  const timer = setInterval(() => void next(2), everyMs)
  timer.unref()

  function next(periods: number): Promise<void> {
    running = running.then(() => sync(periods)).catch(() => {})
    return running
  }

  async function sync(periods: number): Promise<void> {
    const own = counts.ownPeriods()
    for (const period of own) await store(period)
    for (const period of stored.keys()) if (!own.includes(period)) stored.delete(period)
    for (let ago = 0; ago < periods; ago++) {
      const period = nameOf(now() - ago * periodMs)
      counts.learn(period, await readOthers(period))
    }
  }

  async function store(period: string): Promise<void> {
    const known = stored.get(period)
    if (known === '') return
    const isOver = period < nameOf(now())
    const text = JSON.stringify(counts.own(period))
    if (known !== text) {
      const key = countKey(period, run)
      await client.set(key, values.close(kind, key, JSON.parse(text)), {
        expiration: { type: 'PX', value: expiresMs },
      })
    }
    if (known === undefined) {
      await client.append(indexKey(period), `${run}\n`).catch(unlessNoText)
      await client.pExpire(indexKey(period), expiresMs)
    }
    stored.set(period, isOver ? '' : text)
  }

  async function readOthers(period: string): Promise<readonly Value[]> {
    const runs = new Set((await textAt(client, indexKey(period), indexBytesMax)).split('\n', processesMax))
    const others = [...runs].filter((each) => each !== run && /^[0-9a-f-]{36}$/.test(each))
    const read = await Promise.all(
      others.map(async (each) => {
        const key = countKey(period, each)
        const text = await textAt(client, key, countBytesMax)
        return text === '' ? undefined : schema.safeParse(values.open(kind, key, text)).data
      }),
    )
    return read.filter((value) => value !== undefined)
  }

  return {
    async close() {
      clearInterval(timer)
      await next(0)
      client.destroy()
    },
  }
}
