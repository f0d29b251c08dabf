import type { Snapshot } from '#rpc-proxy'
import { evidence, group } from '../../support/evidence.ts'

/** Two groups; the first one won. */
export const dispute = evidence({
  id: 'x-2',
  groups: [group('"0x10"'), { ...group('"0x99"', 1), operators: ['c'], nodes: ['c'] }],
})

export const snapshotOf = (fields: Partial<Snapshot>): Snapshot => ({
  version: 1,
  atMs: 2000,
  startedMs: 1000,
  draining: false,
  chains: [],
  cache: { entries: 2, bytes: 300, bytesMax: 1000 },
  inFlight: { requests: 1, requestsMax: 1000, upstreamRequests: 3 },
  counters: [],
  histograms: [],
  ...fields,
})

/** Of four calls: up to 5 ms, up to 10 ms, and one above. */
export const histogramOf = (labels: Readonly<Record<string, string>>) => ({
  name: 'rpc_server_call_duration_seconds',
  labels,
  value: { bounds: [0.005, 0.01], counts: [1, 3, 4], sum: 0.5, count: 4 },
})
