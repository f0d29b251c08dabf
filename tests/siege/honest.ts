import { Pool } from 'undici'

/** Results of the honest callers. */
export interface Met {
  readonly sent: number
  readonly failures: number
  readonly p50Ms: number
  readonly p95Ms: number
}

export interface Honest {
  /** Stops them after their last answers, and returns the results. */
  readonly end: () => Promise<Met>
}

interface HonestOptions {
  readonly url: string
  readonly path: string
  readonly body: (count: number) => string | null
  readonly everyMs: number
  readonly timeoutMs: number
  /** An address that no attack uses, as forwarded by the proxy in front. */
  readonly address: string
}

/** Open-loop callers: they ask on a schedule, so a slow host gets no less load. */
export function startHonest({ url, path, body, everyMs, timeoutMs, address }: HonestOptions): Honest {
  const pool = new Pool(url, { connections: 64, headersTimeout: timeoutMs, bodyTimeout: timeoutMs })
  const latencies: number[] = []
  const pending = new Set<Promise<void>>()
  let sent = 0
  let failures = 0

  async function ask(count: number): Promise<void> {
    const startMs = performance.now()
    const text = body(count)
    const headers = {
      'x-forwarded-for': address,
      ...(text !== null && { 'content-type': 'application/json' }),
    }
    try {
      const method = text === null ? 'GET' : 'POST'
      const response = await pool.request({ path, method, headers, body: text })
      const answer = await response.body.text()
      if (response.statusCode !== 200 || (text !== null && !answer.includes('"result"'))) failures += 1
      else latencies.push(performance.now() - startMs)
    } catch {
      failures += 1
    }
  }

  const timer = setInterval(() => {
    const asking: Promise<void> = ask(sent).finally(() => pending.delete(asking))
    pending.add(asking)
    sent += 1
  }, everyMs)

  return {
    async end() {
      clearInterval(timer)
      await Promise.all(pending)
      await pool.destroy()
      latencies.sort((one, other) => one - other)
      const at = (share: number) => latencies[Math.ceil(latencies.length * share) - 1] ?? Number.NaN
      return { sent, failures, p50Ms: at(0.5), p95Ms: at(0.95) }
    },
  }
}
