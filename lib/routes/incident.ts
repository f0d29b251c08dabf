import type { Gateway, HistoryRange } from '#rpc-proxy'

/** Per list; a certificate has a few kilobytes. */
const certificatesMax = 200

/**
 * A report for investigating an incident, as one JSON document without URLs, keys or headers: everything that the engine knows about a
 * period, and its current state.
 */
export function incidentOf(gateway: Gateway, range: HistoryRange, nowMs: number) {
  return {
    kind: 'quorate-incident',
    version: 1,
    madeAt: new Date(nowMs).toISOString(),
    snapshot: gateway.snapshot(),
    history: gateway.history(range),
    blocks: gateway.blocks(),
    disputes: gateway.disputes(certificatesMax, range),
    answers: gateway.certificates(certificatesMax, range),
  }
}
