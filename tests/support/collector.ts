import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from './listen.ts'

export type Collector = Awaited<ReturnType<typeof startCollector>>

/** Starts a collector that accepts OTLP/JSON over HTTP and keeps it, raw and parsed. */
export async function startCollector() {
  const bodies: string[] = []
  let dump = ''
  const server = createServer(async (request, response) => {
    const body = await text(request)
    bodies.push(body)
    dump += `${request.url} ${JSON.stringify(request.headers)}\n${body}\n`
    response.setHeader('content-type', 'application/json').end('{}')
  })
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    spans: () => bodies.flatMap((body) => spansIn(JSON.parse(body))),
    /** Everything received, with headers. */
    dump: () => dump,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

interface Wire {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[]
  }[]
}
interface WireSpan extends Readonly<Record<'traceId' | 'spanId' | 'name', string>> {
  readonly parentSpanId?: string
  readonly kind: number
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
}

/** OTLP/JSON spans, with their attributes as plain values. */
const spansIn = ({ resourceSpans }: Wire) =>
  resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .map((span) => ({
      ...span,
      attributes: Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
    }))
export type CollectedSpan = ReturnType<typeof spansIn>[number]
