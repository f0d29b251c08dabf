import { z } from 'zod'
import { type DayUsage, dayOf, type Gateway, rowsOf } from '#rpc-proxy'
import { prefix } from '../public-names.ts'
import { textAt, unlessNoText } from './bounded-text.ts'
import { createRedisClient } from './redis-client.ts'
import type { StoreOptions } from './sealed-values.ts'

/** What is older has been stored; a process that is killed loses no more, and learns as late what others count. */
const everyMs = 5000
const dayMs = 86_400_000
/** Usage expires after thirteen months. */
const expiresMs = 400 * dayMs
/** The current month and the one before. */
const daysRead = 62
/** Processes of a day that are read, and how much of each. */
const processesMax = 256
const indexBytesMax = 64 * 1024
const usageBytesMax = 4 * 1024 * 1024

/** The processes that have counted something in a day, a line of each. */
const indexKey = (day: string) => `${prefix}:usage:${day}`
const usageKey = (day: string, run: string) => `${prefix}:usage:${day}:${run}`

const sums = z.object({ calls: z.number(), units: z.number(), cacheHits: z.number(), errors: z.number() })
const dayUsage = z.record(z.string(), z.record(z.string(), sums))

export interface UsageStore {
  /** Stores what is left and disconnects. */
  readonly close: () => Promise<void>
}

/**
 * Keeps in Redis what callers with keys use: of each process and day what it has counted in all, so that storing it twice counts once.
 * Tells the gateway what the other processes have counted, and this one before its start. While Redis is away it counts by itself.
 */
export function startUsage(
  url: string,
  gateway: { readonly usage: Pick<Gateway['usage'], 'own' | 'ownDays' | 'learn'> },
  { values, now, onRejected }: StoreOptions,
): UsageStore {
  const run = crypto.randomUUID()
  const { usage } = gateway
  /** As it is stored, by day. */
  const stored = new Map<string, string>()
  const client = createRedisClient(url, onRejected)
  client.on('error', () => {})
  // What an earlier connection has read may be old.
  client.on('ready', () => void next(daysRead))
  void client.connect().catch(() => {})
  let running: Promise<void> = Promise.resolve()
  const timer = setInterval(() => void next(2), everyMs)
  timer.unref()

  function next(days: number): Promise<void> {
    running = running.then(() => sync(days)).catch(() => {})
    return running
  }

  async function sync(days: number): Promise<void> {
    for (const day of usage.ownDays()) await store(day)
    for (let ago = 0; ago < days; ago++) {
      const day = dayOf(now() - ago * dayMs)
      usage.learn(day, await readOthers(day))
    }
  }

  async function store(day: string): Promise<void> {
    const text = JSON.stringify(usage.own(day))
    const known = stored.get(day)
    if (known === text) return
    const key = usageKey(day, run)
    await client.set(key, values.close('usage', key, JSON.parse(text)), {
      expiration: { type: 'PX', value: expiresMs },
    })
    if (known === undefined) {
      await client.append(indexKey(day), `${run}\n`).catch(unlessNoText)
      await client.pExpire(indexKey(day), expiresMs)
    }
    stored.set(day, text)
  }

  async function readOthers(day: string): Promise<DayUsage> {
    const runs = new Set((await textAt(client, indexKey(day), indexBytesMax)).split('\n', processesMax))
    const others = [...runs].filter((each) => each !== run && /^[0-9a-f-]{36}$/.test(each))
    const usages = await Promise.all(
      others.map(async (each) => {
        const key = usageKey(day, each)
        const text = await textAt(client, key, usageBytesMax)
        return (text === '' ? undefined : dayUsage.safeParse(values.open('usage', key, text)).data) ?? {}
      }),
    )
    const merged: Record<string, Record<string, z.output<typeof sums>>> = {}
    for (const { caller, method, calls, units, cacheHits, errors } of rowsOf(day, usages)) {
      merged[caller] ??= {}
      merged[caller][method] = { calls, units, cacheHits, errors }
    }
    return merged
  }

  return {
    async close() {
      clearInterval(timer)
      await next(0)
      client.destroy()
    },
  }
}
