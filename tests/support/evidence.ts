import type { CallRecord, EngineEvent, Evidence, RequestRecord, UpstreamRequestRecord } from '#rpc-proxy'

/** Evidence of two votes against one, with overrides. */
export function evidence(fields: Partial<Evidence> = {}): Evidence {
  return {
    id: 'answer-1',
    chainId: 137,
    method: 'eth_getBalance',
    params: '["0x01","0x7"]',
    startMs: 1000,
    endMs: 1010,
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
    block: { number: 7, hash: '0x07' },
    electorate: { operators: ['a', 'b', 'c'], weights: [1, 1, 1], required: 0 },
    supporters: 0b011,
    result: 0,
    requests: [requestBy('a'), requestBy('b')],
    groups: [group('"0x1"')],
    ...fields,
  }
}

export const group = (text: string, weight = 2) => ({
  weight,
  operators: ['a', 'b'],
  nodes: ['a', 'b'],
  text,
})

export const requestBy = (
  node: string,
  fields: Partial<UpstreamRequestRecord> = {},
): UpstreamRequestRecord => ({
  node,
  operator: node,
  weight: 1,
  startMs: 1000,
  endMs: 1005,
  stalledMs: null,
  outcome: 'result',
  detail: null,
  group: 0,
  ...fields,
})

export const call = (fields: Partial<CallRecord> = {}): CallRecord => ({
  id: '1',
  method: 'eth_getBalance',
  startMs: 1000,
  endMs: 1010,
  code: 0,
  error: null,
  cache: 'miss',
  evidence: evidence(),
  ...fields,
})

export const requestRecord = ({
  calls = [call()],
  ...fields
}: Partial<RequestRecord> = {}): RequestRecord => ({
  startMs: 1000,
  endMs: 1011,
  chainId: 137,
  batch: calls.length > 1,
  status: 200,
  traceparent: null,
  trace: null,
  calls,
  ...fields,
})

export const request = (calls: readonly CallRecord[], chainId: number | null = 137): EngineEvent => ({
  type: 'request',
  request: requestRecord({ calls, chainId }),
})

export const verdict = (fields: Partial<Evidence> = {}): EngineEvent => ({
  type: 'verdict',
  evidence: evidence(fields),
})
