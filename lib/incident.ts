import type { Certificate, Gateway, History, HistoryRange, SeenBlock, Snapshot } from '#rpc-proxy'

/** Blocks of each chain, and who showed them when. */
export type BlocksByChain = readonly { readonly chainId: number; readonly blocks: readonly SeenBlock[] }[]

/** What somebody needs who looks into an incident afterwards: one JSON document without a URL, key or header in it. */
export interface Incident {
  readonly kind: 'quorate-incident'
  readonly version: 1
  readonly madeAt: string
  readonly snapshot: Snapshot
  readonly history: History
  readonly blocks: BlocksByChain
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
    blocks: blocksByChain(gateway),
    disputes: within(gateway.disputes(certificatesMax), range),
    answers: within(gateway.answers(certificatesMax), range),
  }
}

export function blocksByChain(gateway: Gateway): BlocksByChain {
  return gateway.snapshot().chains.map(({ chainId }) => ({ chainId, blocks: gateway.blocks(chainId) }))
}

const within = (certificates: readonly Certificate[], { fromMs, toMs }: HistoryRange) =>
  certificates.filter(({ startMs, endMs }) => endMs >= fromMs && startMs <= toMs)
