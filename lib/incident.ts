import type { Certificate, Gateway, History, HistoryRange, Snapshot } from '#rpc-proxy'

/** What somebody needs who looks into an incident afterwards: one JSON document without a URL, key or header in it. */
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

/** Certificates of each kind at most; each is some kilobytes. */
const certificatesMax = 200

/** All that the engine knows of a stretch of time, and of now. */
export function incidentOf(gateway: Gateway, range: HistoryRange, nowMs: number): Incident {
  return {
    kind: 'quorate-incident',
    version: 1,
    madeAt: new Date(nowMs).toISOString(),
    snapshot: gateway.snapshot(),
    history: gateway.history(range),
    blocks: gateway.blocks(),
    disputes: within(gateway.disputes(certificatesMax), range),
    answers: within(gateway.answers(certificatesMax), range),
  }
}

const within = (certificates: readonly Certificate[], { fromMs, toMs }: HistoryRange) =>
  certificates.filter(({ startMs, endMs }) => endMs >= fromMs && startMs <= toMs)
