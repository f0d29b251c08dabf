import { Pool } from 'undici'
import { faultIn, manyReads, requestOf } from './truth.ts'

/** What became of the requests, by kind of fault; the empty text is the truth. */
export interface Load {
  readonly outcomes: ReadonlyMap<string, number>
  /** The slowest answers since one last looked, in milliseconds: of all, and of all but one in a hundred. */
  readonly takeSlowest: () => { readonly maxMs: number; readonly p99Ms: number }
  readonly send: () => Promise<void>
  /** Many reads at once, whose answers nobody looks at. */
  readonly fill: () => Promise<void>
  /** Ends our connections. */
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

/** Keeps so many requests in flight for a while; answers how many were answered in a second. */
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

/** Sends on a schedule, whether or not anybody answers, until told to end; then waits for what is on its way. */
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
