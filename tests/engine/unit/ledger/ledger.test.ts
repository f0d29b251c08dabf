import { describe, expect, test, vi } from 'vitest'
import type { EngineEvent } from '../../../../rpc-proxy/events/events.ts'
import type { Evidence, UpstreamOutcome } from '../../../../rpc-proxy/events/evidence-types.ts'
import { createArchive, Ledger, savedRequests } from '../../../../rpc-proxy/ledger/ledger.ts'
import type { FaultKind } from '../../../../rpc-proxy/wire/fault.ts'
import { call, evidence, group, request, requestBy, verdict } from '../../../support/evidence.ts'

function ledgerAt() {
  const time = { ms: 0 }
  const ledger = new Ledger({ now: () => time.ms })
  return { ledger, time }
}
function noted(...events: readonly EngineEvent[]): Ledger {
  const { ledger } = ledgerAt()
  for (const event of events) ledger.note(event)
  return ledger
}
const counters = (ledger: Ledger, name: string) =>
  ledger
    .counters()
    .filter((series) => series.name === name)
    .map(({ labels, value }) => [labels, value])
const histogram = (ledger: Ledger, name: string) =>
  ledger.histograms().filter((series) => series.name === name)
const asked = (
  node: string,
  outcome: UpstreamOutcome,
  durationMs = 10,
  fault: FaultKind | null = null,
): EngineEvent => ({
  ...{ type: 'upstream-request', purpose: 'read', chainId: 137, method: 'eth_call' },
  ...{ node, outcome, fault, durationMs },
})
const ids = (certificates: readonly { id: string }[]) => certificates.map(({ id }) => id)

describe('counting', () => {
  test('every call of a request, by chain, method and code', () => {
    const ledger = noted(request([call(), call({ code: -32010, endMs: 3500 })]), request([call()]))
    expect(histogram(ledger, 'rpc_server_call_duration_seconds')).toEqual([
      {
        name: 'rpc_server_call_duration_seconds',
        labels: { chain: '137', method: 'eth_getBalance', code: '0' },
        value: {
          bounds: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
          counts: [0, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2],
          sum: 0.02,
          count: 2,
        },
      },
      expect.objectContaining({
        labels: { chain: '137', method: 'eth_getBalance', code: '-32010' },
        value: expect.objectContaining({ counts: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1], sum: 2.5 }),
      }),
    ])
  })

  test('a duration above every bucket is only in the count', () => {
    const [series] = histogram(noted(request([call({ endMs: 12_000 })])), 'rpc_server_call_duration_seconds')
    expect(series?.value.counts.slice(-2)).toEqual([0, 1])
  })

  test('asks per call: none for cached or shared calls', () => {
    const requests = [requestBy('a'), requestBy('b'), requestBy('c')]
    const ledger = noted(
      request([
        call({ evidence: evidence({ requests }) }),
        call({ cache: 'hit', evidence: evidence({ requests }) }),
        call({ cache: 'shared', evidence: evidence({ requests }) }),
        call({ cache: null, evidence: null }),
      ]),
    )
    expect(histogram(ledger, 'quorate_requests_per_call')[0]?.value).toMatchObject({
      bounds: [0, 1, 2, 3, 4, 6, 8, 12, 16],
      counts: [3, 3, 3, 4, 4, 4, 4, 4, 4, 4],
      sum: 3,
    })
  })

  const ofCaches = request((['hit', 'hit', 'shared', null] as const).map((cache) => call({ cache })))
  const ofVerdicts = [verdict(), verdict(), verdict({ outcome: 'failed', reason: 'silent' })]
  const ofRequests = [asked('a', 'result'), asked('a', 'result'), asked('a', 'fault', 10, 'http')]
  const [atNode, ofCall] = [
    { chain: '137', node: 'a' },
    { chain: '137', method: 'eth_getBalance' },
  ]
  const stall = { type: 'stall', chainId: 1, node: 'a' } as const
  const dissent = { type: 'dissent', chainId: 1, node: 'a', method: 'eth_call', answer: 'x' } as const
  const equivocation = { ...dissent, type: 'equivocation', operator: 'o' } as const
  const block = { number: 1, hash: '0x' }
  const reorg = { type: 'reorg', chainId: 1, from: block, to: block } as const
  const shed = { type: 'shed', chainId: 1 } as const
  const limited = { type: 'rate-limited', chainId: null } as const
  const breach = { type: 'breach', chainId: 1, invariant: 'S1', detail: 'x' } as const

  test.each<[string, readonly EngineEvent[], ...(readonly [Record<string, string>, number])[]]>([
    ['cache', [ofCaches], [{ chain: '137', result: 'hit' }, 2], [{ chain: '137', result: 'shared' }, 1]],
    ['shared', [ofCaches], [{ chain: '137' }, 1]],
    ['verdicts', ofVerdicts, [{ ...ofCall, outcome: 'agreed' }, 2], [{ ...ofCall, outcome: 'silent' }, 1]],
    [
      'upstream_requests',
      ofRequests,
      [{ ...atNode, result: 'result' }, 2],
      [{ ...atNode, result: 'fault' }, 1],
    ],
    ['faults', ofRequests, [{ ...atNode, kind: 'http' }, 1]],
    ['stalls', [stall, stall], [{ chain: '1', node: 'a' }, 2]],
    ['dissents', [dissent, dissent], [{ chain: '1', node: 'a' }, 2]],
    ['equivocations', [equivocation, equivocation], [{ chain: '1', operator: 'o' }, 2]],
    ['reorgs', [reorg, reorg], [{ chain: '1' }, 2]],
    ['shed', [shed, shed], [{ chain: '1' }, 2]],
    ['rate_limited', [limited, limited], [{ chain: 'none' }, 2]],
    ['breaches', [breach, breach], [{ chain: '1', invariant: 'S1' }, 2]],
  ])('quorate_%s_total', (name, events, ...series) => {
    expect(counters(noted(...events), `quorate_${name}_total`)).toEqual(series)
  })

  test('durations of upstream requests, by their outcome', () => {
    expect(
      histogram(noted(...ofRequests), 'rpc_client_call_duration_seconds').map(({ labels, value }) => [
        labels,
        value.count,
      ]),
    ).toEqual([
      [{ ...atNode, outcome: 'result' }, 2],
      [{ ...atNode, outcome: 'fault' }, 1],
    ])
  })

  test('but no states and heads, which are in the snapshot', () => {
    const ledger = noted(
      { type: 'head', chainId: 1, block },
      { type: 'node-state', chainId: 1, node: 'a', from: 'usable', to: 'open', why: 'x' },
    )
    expect([...ledger.counters(), ...ledger.histograms()]).toEqual([])
  })

  test('at most 10,000 series; the rest is counted together', () => {
    const { ledger } = ledgerAt()
    for (let index = 0; index < 10_005; index += 1)
      ledger.note({ type: 'stall', chainId: 1, node: `n${index}` })
    const series = counters(ledger, 'quorate_stalls_total')
    expect(series).toHaveLength(10_001)
    expect(series.at(-1)).toEqual([{ chain: '_OTHER', node: '_OTHER' }, 5])
  })
})

describe('figures of a node', () => {
  test('match the metrics', () => {
    const ledger = noted(
      asked('a', 'result'),
      asked('a', 'reverted'),
      asked('a', 'behind'),
      asked('a', 'cancelled'),
      asked('a', 'fault', 10, 'timeout'),
      asked('b', 'result'),
      { type: 'stall', chainId: 137, node: 'a' },
      { type: 'dissent', chainId: 137, node: 'a', method: 'eth_call', answer: 'x' },
    )
    expect(ledger.nodeFigures(137, 'a')).toMatchObject({
      requests: 5,
      votes: 2,
      faults: { timeout: 1 },
      stalls: 1,
      dissents: 1,
    })
    const none = { latency: null, requests: 0, votes: 0, faults: {}, stalls: 0, dissents: 0 }
    expect(ledger.nodeFigures(1, 'a')).toEqual(none)
  })

  test('latency: nearest rank over the last 256 replies, without timeouts', () => {
    const { ledger } = ledgerAt()
    ledger.note(asked('a', 'fault', 5000, 'timeout'))
    ledger.note(asked('a', 'cancelled', 5000))
    expect(ledger.nodeFigures(137, 'a').latency).toBeNull()
    for (let index = 0; index < 50; index += 1) ledger.note(asked('a', 'result', 9000))
    for (let ms = 1; ms <= 256; ms += 1) ledger.note(asked('a', 'result', ms))
    expect(ledger.nodeFigures(137, 'a').latency).toEqual({ p50Ms: 128, p95Ms: 244, p99Ms: 254 })
  })
})

describe('answers', () => {
  const answered = (id: string, fields = {}) => request([call({ evidence: evidence({ id, ...fields }) })])

  test('are found by id, newest first, at most as many as asked for', () => {
    const ledger = noted(answered('x'), answered('y'), answered('z'))
    expect(ids(ledger.certificates(2))).toEqual(['z', 'y'])
    expect(ledger.certificates(0)).toEqual([])
    expect(ids(ledger.certificates(9))).toEqual(['z', 'y', 'x'])
    expect(ledger.certificate('x')?.id).toBe('x')
    expect(ledger.certificate('w')).toBeNull()
  })

  test('the last 1,000 are kept, and a cached one can be looked up after its original record was dropped', () => {
    const { ledger } = ledgerAt()
    for (let index = 0; index <= 1000; index += 1) ledger.note(answered(`id${index}`))
    expect(ledger.certificates(2000)).toHaveLength(1000)
    expect(ledger.certificate('id0')).toBeNull()
    expect(ledger.certificate('id1')).not.toBeNull()
    ledger.note(request([call({ cache: 'hit', evidence: evidence({ id: 'id0' }) })]))
    expect(ledger.certificate('id0')).not.toBeNull()
  })

  test('a cache hit does not unpack the evidence', () => {
    const text = vi.fn(() => '"0x1"')
    const watched = evidence({ groups: [Object.defineProperty(group(''), 'text', { get: text })] })
    const ledger = noted(request([call({ evidence: watched })]))
    text.mockClear()
    for (let index = 0; index < 100; index += 1)
      ledger.note(request([call({ cache: 'hit', evidence: watched })]))
    expect(text).not.toHaveBeenCalled()
    expect(ledger.certificate('answer-1')?.groups[0]?.text).toBe('"0x1"')
    expect(text).toHaveBeenCalled()
  })

  test('are bounded by bytes, except for the newest', () => {
    const archive = createArchive({ entriesMax: 9, bytesMax: 20_000, ageMaxMs: 1000 })
    const keep = (id: string, ...texts: readonly string[]) => {
      archive.keep(evidence({ id, requests: [], groups: texts.map((text) => group(text)) }), 0)
      return ids(archive.newest(9, 0))
    }
    const big = 'x'.repeat(4300)
    expect([keep('x', big), keep('y', big)]).toEqual([['x'], ['y', 'x']])
    expect(keep('z', big)).toEqual(['z', 'y'])
    expect(keep('huge', 'x'.repeat(20_000))).toEqual(['huge'])
    expect(keep('w', big)).toEqual(['w'])
    // Also where the answer was not the first that a node gave.
    expect(keep('v', '"0x2"', 'x'.repeat(8000))).toEqual(['v'])
  })

  test('verdicts on heads do not evict answers to callers', () => {
    expect(noted(answered('x'), verdict({ id: 'head' })).certificate('head')).toBeNull()
  })
})

describe('failures and disputes', () => {
  const failed = (id: string, fields = {}) =>
    verdict({ id, outcome: 'failed', reason: 'disagree', ...fields })
  const dayMs = 86_400_000

  test('are kept longer than other answers', () => {
    const ledger = noted(
      failed('x'),
      verdict({ id: 'y', groups: [group('1'), group('2')] }),
      verdict({ id: 'z' }),
    )
    expect(ids(ledger.disputes(9))).toEqual(['y', 'x'])
    expect(ledger.certificate('x')?.reason).toBe('disagree')
    expect(ledger.certificate('z')).toBeNull()
  })

  test('are kept for a day', () => {
    const { ledger, time } = ledgerAt()
    ledger.note(failed('x'))
    time.ms = dayMs
    expect(ids(ledger.disputes(9))).toEqual(['x'])
    time.ms = dayMs + 1
    expect(ledger.disputes(9)).toEqual([])
  })

  test('of a past incident are found, even if there are many newer ones', () => {
    const ledger = noted(
      ...['x', 'y', 'z'].map((id) => failed(id, { startMs: 1000, endMs: 1010 })),
      ...['later', 'last'].map((id) => failed(id, { startMs: 9000, endMs: 9010 })),
    )
    expect(ids(ledger.disputes(2, { fromMs: 1010, toMs: 8999 }))).toEqual(['z', 'y'])
    expect(ids(ledger.disputes(2, { fromMs: 1011, toMs: 8999 }))).toEqual([])
    expect(ids(ledger.disputes(2, { fromMs: 0, toMs: 9000 }))).toEqual(['last', 'later'])
  })
})

test('certificates of large codes take no more memory than those of anything else', () => {
  const archive = createArchive({ entriesMax: 1000, bytesMax: 1 << 20, ageMaxMs: 1000 })
  const code = `0x${'60'.repeat(65_536)}`
  const proof = { header: [], accounts: [], nodes: [], slots: [], code }
  const ids = Array.from({ length: 20 }, (_, index) => `answer-${index}`)
  for (const id of ids) archive.keep(evidence({ id, proof }), 0)
  expect(ids.filter(archive.has)).toHaveLength(3)
})

const proven = (weights: readonly number[], needed: number, operatorsMin = 1, required = 0) =>
  ({
    electorate: { weights, operators: weights.map((_, index) => `operator ${index}`), required },
    needed,
    operatorsMin,
  }) as unknown as Evidence

test.each([
  ['a proof in place of two votes', proven([1, 1, 1], 2), 1, 1],
  ['nothing where another call asked', proven([1, 1, 1], 2), 0, 2],
  ['nothing where forged proofs took as many', proven([1, 1, 1], 2), 3, 0],
  ['a heavy operator needs no other', proven([1, 3, 1], 2.5), 1, 0],
  ['but where operators must be three', proven([1, 3, 1], 2.5, 3), 1, 2],
  ['or where a light one must vote', proven([1, 3, 1], 2.5, 1, 0b100), 1, 1],
])('%s', (_, evidence, requests, saved) => {
  expect(savedRequests(evidence, requests)).toBe(saved)
})
