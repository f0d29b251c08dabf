import type { Certificate, Gateway, History, HistoryRange, Snapshot } from '#rpc-proxy'

/** A report for investigating an incident: one JSON document without URLs, keys or headers. */
export interface Incident {
  readonly kind: 'quorate-incident'
  readonly version: 1
  readonly madeAt: string
  readonly snapshot: Snapshot
  readonly history: History
  readonly blocks: ReturnType<Gateway['blocks']>
  readonly disputes: readonly Certificate[]
  readonly answers: readonly Certificate[]
}

/** Per list; a certificate has a few kilobytes. */
const certificatesMax = 200

/** Everything that the engine knows about a period and its current state. */
export function incidentOf(gateway: Gateway, range: HistoryRange, nowMs: number): Incident {
  return {
    kind: 'quorate-incident',
    version: 1,
    madeAt: new Date(nowMs).toISOString(),
    snapshot: gateway.snapshot(),
    history: gateway.history(range),
    blocks: gateway.blocks(),
    disputes: within(gateway.disputes(certificatesMax), range),
    answers: within(gateway.certificates(certificatesMax), range),
  }
}

const within = (certificates: readonly Certificate[], { fromMs, toMs }: HistoryRange) =>
  certificates.filter(({ startMs, endMs }) => endMs >= fromMs && startMs <= toMs)
