import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { describe, expect, test } from 'vitest'
import { createSampling, createTrace, type SamplingOptions } from '#lib/observe/trace.ts'
import { SpanIds } from '#lib/observe/trace-ids.ts'
import { type RequestRecord, upstreamSpanId } from '#rpc-proxy'
import { call, evidence, requestBy, requestRecord } from '../../support/evidence.ts'
import { dispute } from './records.ts'

function tracing({ ratio = 1, isParentTrusted = false, drawn = 0.5 } = {}) {
  const exporter = new InMemorySpanExporter()
  const ids = new SpanIds()
  const spanProcessors = [new SimpleSpanProcessor({ exporter })]
  const provider = new TracerProvider({ idGenerator: ids, spanProcessors })
  const options: SamplingOptions = { ratio, isParentTrusted: () => isParentTrusted, random: () => drawn }
  const [trace, traceOf] = [createTrace(provider.getTracer('test'), ids), createSampling(options)]
  return {
    /** Like a host: sampled at the start, exported at the end. */
    trace: (record: RequestRecord) => trace({ ...record, trace: traceOf(record.traceparent) }),
    traceOf,
    spans: () => exporter.getFinishedSpans(),
  }
}

const traceId = '0af7651916cd43dd8448eb211c80319c'
const sampled = `00-${traceId}-b7ad6b7169203331-01`
const unsampled = `00-${traceId}-b7ad6b7169203331-00`

describe('the spans of a request', () => {
  test('are one for the request and one for each upstream request, with the recorded times', () => {
    const { trace, spans } = tracing()
    const requests = [requestBy('a'), requestBy('b', { startMs: 1001, endMs: 1004.5 })]
    const calls = [call({ evidence: evidence({ requests }) })]
    const reported = trace(requestRecord({ startMs: 999.5, endMs: 1006.25, calls }))
    const [a, b, request] = spans()
    expect(request).toMatchObject({
      name: 'eth_getBalance',
      kind: SpanKind.SERVER,
      startTime: [0, 999_500_000],
      endTime: [1, 6_250_000],
      attributes: {
        'rpc.system.name': 'jsonrpc',
        'rpc.method': 'eth_getBalance',
        'rpc.status_code': 0,
        'jsonrpc.request.id': '1',
        'quorate.chain_id': 137,
        'quorate.agreed_weight': 2,
        'quorate.quorum': 1.5,
        'quorate.cache': 'miss',
        'quorate.block': 7,
      },
    })
    expect(a).toMatchObject({
      kind: SpanKind.CLIENT,
      attributes: { 'server.address': 'a', 'quorate.outcome': 'result' },
    })
    expect(b).toMatchObject({
      startTime: [1, 1_000_000],
      endTime: [1, 4_500_000],
      attributes: { 'quorate.node': 'b' },
    })
    const { spanId, traceId } = reported ?? {}
    expect([a, b].map((span) => span?.parentSpanContext?.spanId)).toEqual([spanId, spanId])
    expect(new Set(spans().map((span) => span.spanContext().traceId))).toEqual(new Set([traceId]))
  })

  test('a batch has a child span per call, with its requests below', () => {
    const { trace, spans } = tracing()
    const other = call({ id: '8', method: 'eth_chainId', evidence: null, cache: null })
    trace(requestRecord({ calls: [call(), other] }))
    const named = (name: string, kind: SpanKind) =>
      spans().find((span) => span.name === name && span.kind === kind)
    const idOf = (name: string, kind: SpanKind) => named(name, kind)?.spanContext().spanId
    const parentOf = (name: string, kind: SpanKind) => named(name, kind)?.parentSpanContext?.spanId
    const batch = idOf('batch', SpanKind.SERVER)
    expect(batch).toMatch(/^[0-9a-f]{16}$/)
    expect(parentOf('eth_getBalance', SpanKind.INTERNAL)).toBe(batch)
    expect(parentOf('eth_chainId', SpanKind.INTERNAL)).toBe(batch)
    expect(parentOf('eth_getBalance', SpanKind.CLIENT)).toBe(idOf('eth_getBalance', SpanKind.INTERNAL))
    expect(spans()).toHaveLength(5)
  })

  test('losers are cancelled, faults are errors with their kind', () => {
    const { trace, spans } = tracing()
    const requests = [
      requestBy('a', { outcome: 'cancelled', endMs: 1003, stalledMs: 1002 }),
      requestBy('a', { outcome: 'fault', detail: 'timeout' }),
    ]
    trace(requestRecord({ calls: [call({ evidence: evidence({ requests }) })] }))
    const [loser, faulty] = spans()
    expect(loser).toMatchObject({
      attributes: { 'quorate.outcome': 'cancelled', 'quorate.stalled': true },
      status: { code: SpanStatusCode.UNSET },
    })
    expect(faulty).toMatchObject({
      attributes: { 'error.type': 'timeout' },
      status: { code: SpanStatusCode.ERROR },
    })
  })

  test.each(['hit', 'shared'] as const)('a %s has no asks, regardless of its evidence', (cache) => {
    const { trace, spans } = tracing()
    trace(requestRecord({ calls: [call({ cache })] }))
    expect(spans().map((span) => span.kind)).toEqual([SpanKind.SERVER])
  })

  test('the id of a caller is truncated', () => {
    const { trace, spans } = tracing()
    trace(requestRecord({ calls: [call({ id: `"${'x'.repeat(9000)}"`, evidence: null })] }))
    expect(spans()[0]?.attributes['jsonrpc.request.id']).toHaveLength(64)
  })
})

describe('sampling', () => {
  test.each([
    ['from a trusted proxy: sampled', true, sampled, 0.9, true],
    ['from a trusted proxy: not sampled', true, unsampled, 0.1, false],
    ['from nobody else: not sampled', false, sampled, 0.9, false],
    ['from nobody else: sampled', false, unsampled, 0.1, true],
    ['where there is none: not sampled, and no spans', false, null, 0.5, false],
    ['where there is none: sampled', false, null, 0.49, true],
  ])('of half takes the flag %s', (_, isParentTrusted, traceparent, drawn, isSampled) => {
    const { trace, spans } = tracing({ ratio: 0.5, isParentTrusted, drawn })
    expect(trace(requestRecord({ traceparent })) !== null).toBe(isSampled)
    expect(spans().length > 0).toBe(isSampled)
  })

  test.each([
    ['a dispute', requestRecord({ calls: [call({ evidence: dispute })] })],
    ['a failed quorum', requestRecord({ status: 502, calls: [call({ code: -32010 })] })],
    ['a failed quorum in a batch', requestRecord({ calls: [call(), call({ code: -32010 })] })],
    ['a breach', requestRecord({ calls: [call({ code: -32603 })] })],
    ['a shed request', requestRecord({ status: 503, calls: [] })],
  ])('%s is always sampled', (_what, record) => {
    const { trace, spans } = tracing({ ratio: 0 })
    expect(trace(record)).not.toBe(null)
    expect(spans().length).toBeGreaterThan(0)
  })

  test('an error of the caller is not sampled', () => {
    const { trace } = tracing({ ratio: 0 })
    expect(trace(requestRecord({ calls: [call({ code: -32602, evidence: null })] }))).toBe(null)
    expect(trace(requestRecord({ status: 413, calls: [] }))).toBe(null)
  })
})

describe('the traceparent sent to nodes', () => {
  test('has a new trace id, or that of the parent', () => {
    const { traceOf } = tracing({ ratio: 0.5, drawn: 0.25 })
    expect(traceOf(null)).toEqual({
      traceId: expect.stringMatching(/^(?!0{32})[0-9a-f]{32}$/),
      isSampled: true,
    })
    expect(traceOf(null).traceId).not.toBe(traceOf(null).traceId)
    expect(traceOf(unsampled).traceId).toBe(traceId)
  })

  test('never has ids of zeros', () => {
    expect(upstreamSpanId('x-1', 'a')).toMatch(/^(?!0{16})[0-9a-f]{16}$/)
    expect(upstreamSpanId('x-1', 'a')).not.toBe(upstreamSpanId('x-1', 'b'))
  })
})
