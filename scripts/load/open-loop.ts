import { Pool } from 'undici'
import type { Scenario } from './scenarios.ts'

export interface LoadOptions {
  /** Where to post, one of them after the other: `http://127.0.0.1:3000/api/rpc/137`. */
  readonly urls: readonly string[]
  readonly scenario: Scenario
  /** Requests in all. */
  readonly total: number
  /** Infinity sends all at once. */
  readonly perSecond: number
  /** Of every request, such as the address of a caller behind a proxy. */
  readonly headers?: Readonly<Record<string, string>>
  /** Whether a good answer is also true; what is not counts as the error `wrong`. */
  readonly isRight?: (text: string) => boolean
  /** What takes longer counts as an error. */
  readonly timeoutMs?: number
  /** Told once a second. */
  readonly onProgress?: (progress: Readonly<Record<'sent' | 'good' | 'failed' | 'inFlight', number>>) => void
}

/** One request: when it was due, how long from then to the end of its answer, and what was wrong with it. */
export interface Sample {
  readonly dueMs: number
  readonly ms: number
  /** How much of that passed before this program sent it: its own share. */
  readonly unsentMs: number
  readonly error: string | null
}

export interface LoadResult {
  readonly sent: number
  readonly seconds: number
  /** Every request, in the order of its end. */
  readonly samples: readonly Sample[]
  /** From when a request was due to the end of its answer, in milliseconds, sorted; of good answers alone. */
  readonly latenciesMs: readonly number[]
  readonly errors: Readonly<Record<string, number>>
  /** Good answers by where they came from, as `x-quorate-cache` says. */
  readonly caches: Readonly<Record<string, number>>
}

/** As many as the gateway lets one caller have. */
const connectionsMax = 1024

/**
 * Sends on a schedule, whether or not anybody answers: a server that slows down gets no relief, and its queue is in the
 * figures. A closed loop would wait with it and report a calm that no visitor had.
 */
export async function openLoop({
  urls,
  scenario,
  total,
  perSecond,
  timeoutMs = 10_000,
  headers: more = {},
  isRight = () => true,
  onProgress,
}: LoadOptions): Promise<LoadResult> {
  // What waited for a connection in here would count as the server's time: beyond this, what is due is not sent and counts as an error.
  const inFlightMax = perSecond === Number.POSITIVE_INFINITY ? total : connectionsMax
  const targets = urls.map((url) => new URL(url))
  const pool = new Pool(targets[0]?.origin ?? '', {
    connections: connectionsMax,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  })
  const samples: Sample[] = []
  const caches: Record<string, number> = {}
  const pending = new Set<Promise<void>>()
  let sent = 0

  const startMs = performance.now()
  const end = (dueMs: number, sentMs: number, error: string | null) =>
    void samples.push({
      dueMs: dueMs - startMs,
      ms: performance.now() - dueMs,
      unsentMs: sentMs - dueMs,
      error,
    })

  async function send(count: number, dueMs: number): Promise<void> {
    const sentMs = performance.now()
    try {
      const { statusCode, headers, body } = await pool.request({
        path: targets[count % targets.length]?.pathname ?? '/',
        method: 'POST',
        headers: { 'content-type': 'application/json', ...more },
        body: scenario(count),
      })
      const text = await body.text()
      const error = errorIn(statusCode, text) ?? (isRight(text) ? null : 'wrong')
      end(dueMs, sentMs, error)
      if (error === null) add(caches, String(headers['x-quorate-cache'] ?? 'none'))
    } catch (cause) {
      end(dueMs, sentMs, cause instanceof Error && 'code' in cause ? String(cause.code) : 'connection')
    }
  }

  const ticker = setInterval(() => {
    const failed = samples.filter(({ error }) => error !== null).length
    onProgress?.({ sent, good: samples.length - failed, failed, inFlight: pending.size })
  }, 1000)
  while (sent < total) {
    const scheduled = Math.floor(((performance.now() - startMs) / 1000) * perSecond) + 1
    const due = perSecond === Number.POSITIVE_INFINITY ? total : Math.min(total, scheduled)
    for (; sent < due; sent += 1) {
      if (pending.size >= inFlightMax) {
        const dueMs = startMs + (sent * 1000) / perSecond
        end(dueMs, performance.now(), 'not sent: too many in flight')
        continue
      }
      const sending: Promise<void> = send(sent, startMs + (sent * 1000) / perSecond).finally(() =>
        pending.delete(sending),
      )
      pending.add(sending)
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await Promise.all(pending)
  const spentMs = performance.now() - startMs
  clearInterval(ticker)
  await pool.destroy()
  const errors: Record<string, number> = {}
  for (const { error } of samples) if (error !== null) add(errors, error)
  const good = samples.filter(({ error }) => error === null)
  const latenciesMs = good.map(({ ms }) => ms).sort((a, b) => a - b)
  return { sent, seconds: spentMs / 1000, samples, latenciesMs, errors, caches }
}

/** Null for a good answer; else what went wrong, in as many words as kinds are worth counting. */
function errorIn(status: number, text: string): string | null {
  const code = /"error":\{"code":(-?\d+)/.exec(text)?.[1]
  if (status === 200 && code === undefined) return null
  const reason = /"reason":"([a-z-]+)"/.exec(text)?.[1]
  return [
    `HTTP ${status}`,
    ...(code === undefined ? [] : [`JSON-RPC ${code}`]),
    ...(reason === undefined ? [] : [reason]),
  ].join(', ')
}

function add(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1
}
