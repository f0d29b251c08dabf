import type { RequestRecord } from '#rpc-proxy'

/** A traced call of a histogram. */
export interface Exemplar {
  readonly traceId: string
  /** Seconds. */
  readonly value: number
  /** Epoch milliseconds. */
  readonly atMs: number
}

export type Traced = ReturnType<typeof createTraced>

const seriesMax = 1000
const exemplarsMax = 8
const answersMax = 1000

/** Remembers which requests were traced, so that a metric and a certificate can name a trace. */
export function createTraced() {
  const series = new Map<string, Exemplar[]>()
  const answers = new Map<string, string>()

  function remember(key: string, exemplar: Exemplar): void {
    const known = series.get(key)
    if (known === undefined) {
      if (series.size < seriesMax) series.set(key, [exemplar])
      return
    }
    known.push(exemplar)
    if (known.length > exemplarsMax) known.shift()
  }

  return {
    note({ chainId, calls }: RequestRecord, traceId: string): void {
      for (const { method, code, startMs, endMs, evidence } of calls) {
        const value = Math.max(0, endMs - startMs) / 1000
        remember(keyOf(chainId ?? 'none', method, code), { traceId, value, atMs: endMs })
        // A cache hit's answer belongs to the trace that found it.
        if (evidence === null || answers.has(evidence.id)) continue
        answers.set(evidence.id, traceId)
        for (const oldest of answers.keys()) {
          if (answers.size <= answersMax) break
          answers.delete(oldest)
        }
      }
    },
    /** The last exemplars of a series of `rpc_server_call_duration_seconds`, the oldest first. */
    exemplars: ({
      chain = '',
      method = '',
      code = '',
    }: Readonly<Record<string, string>>): readonly Exemplar[] => series.get(keyOf(chain, method, code)) ?? [],
    /** The trace in which an answer was found; null where none is kept. */
    traceOf: (answer: string): string | null => answers.get(answer) ?? null,
  }
}

const keyOf = (chain: string | number, method: string, code: string | number) => `${chain} ${method} ${code}`
