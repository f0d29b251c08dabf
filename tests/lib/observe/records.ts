import type { CallRecord, Evidence, RequestRecord, UpstreamRequestRecord } from '#rpc-proxy'

/** Engine records with default values. */
export function askRecord(fields: Partial<UpstreamRequestRecord> = {}): UpstreamRequestRecord {
  return {
    node: 'a',
    operator: 'a',
    weight: 1,
    startMs: 1001,
    endMs: 1005,
    stalledMs: null,
    outcome: 'result',
    detail: null,
    group: 0,
    ...fields,
  }
}

export function evidence(fields: Partial<Evidence> = {}): Evidence {
  return {
    id: 'x-1',
    chainId: 137,
    method: 'eth_getBalance',
    params: '["0x01","0x7"]',
    startMs: 1000,
    endMs: 1006,
    outcome: 'agreed',
    reason: null,
    rule: 'enough weight agrees',
    ruleId: 'quorum',
    agreed: 2,
    needed: 1.5,
    total: 3,
    operators: 2,
    dissenting: 0,
    operatorsTotal: 3,
    operatorsMin: 1,
    policy: 'everyday',
    isThin: false,
    block: { number: 1000, hash: `0x${'ab'.repeat(32)}` },
    electorate: { operators: ['a', 'b', 'c'], weights: [1, 1, 1], required: 0 },
    supporters: 0b011,
    result: 0,
    requests: [askRecord()],
    groups: [{ weight: 2, operators: ['a', 'b'], nodes: ['a', 'b'], text: '"0x10"' }],
    ...fields,
  }
}

export function callRecord(fields: Partial<CallRecord> = {}): CallRecord {
  return {
    id: '7',
    method: 'eth_getBalance',
    startMs: 1000,
    endMs: 1006,
    code: 0,
    error: null,
    cache: 'miss',
    evidence: evidence(),
    ...fields,
  }
}

export function requestRecord(fields: Partial<RequestRecord> = {}): RequestRecord {
  return {
    startMs: 999.5,
    endMs: 1006.25,
    chainId: 137,
    batch: false,
    status: 200,
    traceparent: null,
    trace: null,
    calls: [callRecord()],
    ...fields,
  }
}

/** Two groups; the first one won. */
export const dispute = evidence({
  id: 'x-2',
  groups: [
    { weight: 2, operators: ['a', 'b'], nodes: ['a', 'b'], text: '"0x10"' },
    { weight: 1, operators: ['c'], nodes: ['c'], text: '"0x99"' },
  ],
})
