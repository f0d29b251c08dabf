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
  /** Requests in flight at most; what is due beyond them is not sent and counts as an error. */
  readonly inFlightMax?: number
  /** What takes longer counts as an error. */
  readonly timeoutMs?: number
}

export interface LoadResult {
  readonly sent: number
  readonly seconds: number
  /** From when a request was due to the end of its answer, in milliseconds, sorted; of good answers alone. */
  readonly latenciesMs: readonly number[]
  readonly errors: Readonly<Record<string, number>>
  /** Good answers by where they came from, as `x-quorate-cache` says. */
  readonly caches: Readonly<Record<string, number>>
}

/**
 * Sends on a schedule, whether or not anybody answers: a server that slows down gets no relief, and its queue is in the
 * figures. A closed loop would wait with it and report a calm that no visitor had.
 */
export async function openLoop({
  urls,
  scenario,
  total,
  perSecond,
  inFlightMax = 5000,
  timeoutMs = 10_000,
}: LoadOptions): Promise<LoadResult> {
  const targets = urls.map((url) => new URL(url))
  const pool = new Pool(targets[0]?.origin ?? '', {
    connections: 1024,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  })
  const latenciesMs: number[] = []
  const errors: Record<string, number> = {}
  const caches: Record<string, number> = {}
  const pending = new Set<Promise<void>>()
  let sent = 0

  async function send(count: number, dueMs: number): Promise<void> {
    try {
      const { statusCode, headers, body } = await pool.request({
        path: targets[count % targets.length]?.pathname ?? '/',
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: scenario(count),
      })
      const error = errorIn(statusCode, await body.text())
      if (error !== null) return add(errors, error)
      latenciesMs.push(performance.now() - dueMs)
      add(caches, String(headers['x-quorate-cache'] ?? 'none'))
    } catch (cause) {
      add(errors, cause instanceof Error && 'code' in cause ? String(cause.code) : 'connection')
    }
  }

  const startMs = performance.now()
  while (sent < total) {
    const scheduled = Math.floor(((performance.now() - startMs) / 1000) * perSecond) + 1
    const due = perSecond === Number.POSITIVE_INFINITY ? total : Math.min(total, scheduled)
    for (; sent < due; sent += 1) {
      if (pending.size >= inFlightMax) {
        add(errors, 'not sent: too many in flight')
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
  await pool.destroy()
  return { sent, seconds: spentMs / 1000, latenciesMs: latenciesMs.sort((a, b) => a - b), errors, caches }
}

/** Null for a good answer; else what went wrong, in as many words as kinds are worth counting. */
function errorIn(status: number, text: string): string | null {
  const code = /"error":\{"code":(-?\d+)/.exec(text)?.[1]
  if (status === 200 && code === undefined) return null
  return `HTTP ${status}${code === undefined ? '' : `, JSON-RPC ${code}`}`
}

function add(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1
}
