import type { IncomingHttpHeaders } from 'node:http'
import { callsIn, type DemoCall } from './demo-call.ts'

/** One HTTP request that a node received. */
export type Recorded = {
  /** When it was received completely, in epoch milliseconds. */
  readonly atMs: number
  readonly verb: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly calls: readonly DemoCall[]
  /** `waiting` while unanswered; `aborted` when either side closed the connection before the answer was sent. */
  readonly end: 'waiting' | 'answered' | 'aborted'
}

/** Records the last requests of one node, bounded by number and bytes. */
export type ReceivedRequest = {
  add(request: {
    verb: string
    path: string
    headers: IncomingHttpHeaders
    body: Buffer
  }): (end: 'answered' | 'aborted') => void
  requests(): readonly Recorded[]
  /** The number of HTTP requests since the start or the last clear, recorded or not. */
  count(): number
  clear(): void
}

const bytesMax = 33_554_432

/** Parses lazily, because the benchmark runs through here. */
export function createRecord(requestsMax: number): ReceivedRequest {
  let stored: (Recorded & { bytes: number })[] = []
  let bytes = 0
  let count = 0

  const forgetOldest = () => {
    const from = stored.length - requestsMax
    let first = Math.max(0, from)
    for (const old of stored.slice(0, first)) bytes -= old.bytes
    while (bytes > bytesMax && first < stored.length - 1) bytes -= stored[first++]?.bytes ?? 0
    stored = stored.slice(first)
  }

  return {
    add({ verb, path, headers, body }) {
      count++
      let end: Recorded['end'] = 'waiting'
      const atMs = performance.timeOrigin + performance.now()
      stored.push({
        atMs,
        verb,
        path,
        headers,
        bytes: body.length,
        get text() {
          return body.toString('utf8')
        },
        get calls() {
          return callsIn(body)
        },
        get end() {
          return end
        },
      })
      bytes += body.length
      if (stored.length > requestsMax * 2 || bytes > bytesMax) forgetOldest()
      return (how) => {
        if (end === 'waiting') end = how
      }
    },
    requests: () => stored.slice(-requestsMax),
    count: () => count,
    clear() {
      stored = []
      bytes = 0
      count = 0
    },
  }
}
