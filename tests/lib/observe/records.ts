import type { CallRecord, Evidence, RequestRecord, UpstreamRequestRecord } from '#rpc-proxy'
import { ask, call, group, evidence as shared } from '../../support/evidence.ts'

/** Engine records with the times and ids that these suites expect. */
export const askRecord = (fields: Partial<UpstreamRequestRecord> = {}): UpstreamRequestRecord => ({
  ...ask('a'),
  startMs: 1001,
  ...fields,
})

export const evidence = (fields: Partial<Evidence> = {}): Evidence =>
  shared({
    id: 'x-1',
    endMs: 1006,
    block: { number: 1000, hash: `0x${'ab'.repeat(32)}` },
    requests: [askRecord()],
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
