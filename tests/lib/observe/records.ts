import type { CallRecord, Evidence, RequestRecord, Snapshot, UpstreamRequestRecord } from '#rpc-proxy'
import { call, group, requestBy, evidence as shared } from '../../support/evidence.ts'

/** Engine records with the times and ids that these suites expect. */
export const upstreamRecord = (fields: Partial<UpstreamRequestRecord> = {}): UpstreamRequestRecord => ({
  ...requestBy('a'),
  startMs: 1001,
  ...fields,
})

export const evidence = (fields: Partial<Evidence> = {}): Evidence =>
  shared({
    id: 'x-1',
    endMs: 1006,
    block: { number: 1000, hash: `0x${'ab'.repeat(32)}` },
    requests: [upstreamRecord()],
    groups: [group('"0x10"')],
    ...fields,
  })

export const callRecord = (fields: Partial<CallRecord> = {}): CallRecord =>
  call({ id: '7', endMs: 1006, evidence: evidence(), ...fields })

export const requestRecord = (fields: Partial<RequestRecord> = {}): RequestRecord => ({
  startMs: 999.5,
  endMs: 1006.25,
  chainId: 137,
  batch: false,
  status: 200,
  traceparent: null,
  trace: null,
  calls: [callRecord()],
  ...fields,
})

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
