import { Pool } from 'undici'
import { faultIn, manyReads, requestOf } from './truth.ts'

/** Outcomes of requests by kind of fault; the empty string is a true answer. */
export interface Load {
  readonly outcomes: ReadonlyMap<string, number>
  /** Maximum and p99 latency since the last read, in milliseconds. */
  readonly takeSlowest: () => { readonly maxMs: number; readonly p99Ms: number }
  readonly send: () => Promise<void>
  /** Many concurrent reads without checking the answers. */
  readonly fill: () => Promise<void>
  /** Closes the connections. */
  readonly close: () => Promise<void>
}

export const good = ''

export function createLoad(url: string, path: string): Load {
  const pool = new Pool(url, { connections: 256 })
  const outcomes = new Map<string, number>()
  let count = 0
  let latenciesMs: number[] = []

  const post = (body: unknown) =>
    pool.request({
      path,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  async function outcomeOf(turn: number): Promise<string> {
    const { statusCode, headers, body } = await post(requestOf(turn))
    const text = await body.text()
    if (statusCode !== 200) return `HTTP ${statusCode}`
    return faultIn(turn, text, Number(headers['x-quorate-block'])) ?? good
  }

  return {
    outcomes,
    takeSlowest() {
      const sorted = latenciesMs.sort((a, b) => a - b)
      latenciesMs = []
      return { maxMs: sorted.at(-1) ?? 0, p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0 }
    },
    async send() {
      const startMs = performance.now()
      const outcome = await outcomeOf(count++).catch((cause: unknown) => `connection: ${String(cause)}`)
      latenciesMs.push(performance.now() - startMs)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    },
    fill: async () => (await post(manyReads(count++))).body.dump(),
    close: () => pool.destroy(),
  }
}

/** Keeps this many requests in flight for a while; returns answers per second. */
export async function atFullSpeed(
  send: () => Promise<void>,
  lanes: number,
  seconds: number,
): Promise<number> {
  const startMs = performance.now()
  let sent = 0
  const lane = async () => {
    while (performance.now() - startMs < seconds * 1000) {
      await send()
      sent++
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return sent / ((performance.now() - startMs) / 1000)
}

/** Open-loop load: sends on a schedule until stopped, then waits for requests in flight. */
export async function keepSending(load: Load, perSecond: number, isOver: () => boolean): Promise<void> {
  const startMs = performance.now()
  const pending = new Set<Promise<void>>()
  let sent = 0
  while (!isOver()) {
    const due = ((performance.now() - startMs) / 1000) * perSecond
    for (; sent < due; sent++) {
      const sending: Promise<void> = load.send().finally(() => pending.delete(sending))
      pending.add(sending)
    }
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  await Promise.all(pending)
}
