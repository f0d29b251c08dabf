import type { RequestListener, ServerResponse } from 'node:http'
import { expect, test, vi } from 'vitest'
import { parseEnv } from '#lib/config/env.ts'
import { createHostCounts } from '#lib/observe/host-counts.ts'
import { createTracer } from '#lib/observe/otlp.ts'
import { createRedactor } from '#lib/observe/redact.ts'
import { createTraceLosses } from '#lib/observe/trace-losses.ts'
import { parseConfig } from '#rpc-proxy'
import { recordedLog } from '../../support/recorded-log.ts'
import { serveForOneTest } from '../../support/serve.ts'

const config = parseConfig({ chains: [{ id: 137, nodes: [{ name: 'a', url: 'https://a.example' }] }] }, {})

/** What is counted and said where a collector answers two spans in this way. */
async function lostAt(reply: RequestListener) {
  const endpoint = await serveForOneTest((request, response) => {
    request.resume().on('end', () => reply(request, response))
  })
  const { log, lines } = recordedLog()
  const counts = createHostCounts()
  const onLoss = createTraceLosses(log, counts)
  const redactor = createRedactor(parseEnv({}), config)
  const { tracer, flush } = createTracer(parseEnv({}), { endpoint, redactor, onLoss })
  for (let round = 0; round < 2; round++) {
    tracer.startSpan('a call').end()
    await flush()
  }
  return { counts: counts.series().filter(({ value }) => value > 0), lines }
}

const json = (response: ServerResponse, partialSuccess: object) =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ partialSuccess }))

test.each<[string, string, RequestListener]>([
  ['401', 'status', (_, response) => response.writeHead(401).end()],
  ['a part only', 'partial', (_, response) => json(response, { rejectedSpans: 1, errorMessage: 'no room' })],
])('a collector that answers %s is counted, and said once a minute', async (_, reason, reply) => {
  const { counts, lines } = await lostAt(reply)
  expect(counts).toEqual([{ name: 'quorate_trace_losses_total', labels: { reason }, value: 2 }])
  expect(lines).toMatchObject([{ level: 'warn', event: 'traces', fields: { reason } }])
})

test('a collector that hangs is a loss once its time has passed', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '200')
  const { counts } = await lostAt(() => {})
  expect(counts).toMatchObject([{ labels: { reason: 'timeout' }, value: 2 }])
})

test('a collector that takes all is silent', async () => {
  expect(await lostAt((_, response) => response.end('{}'))).toEqual({ counts: [], lines: [] })
})
