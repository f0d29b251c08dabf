import { createServer } from 'node:http'
import { listen } from './listen.ts'

/** An OTLP/JSON span, with its attributes as plain values. */
export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly name: string
  readonly kind: number
  readonly attributes: Readonly<Record<string, unknown>>
}

/** A collector that accepts OTLP/JSON over HTTP and keeps it, raw and parsed. */
export interface Collector {
  readonly url: string
  readonly spans: () => readonly CollectedSpan[]
  /** Everything received, with headers. */
  readonly dump: () => string
  readonly stop: () => void
}

export async function startCollector(): Promise<Collector> {
  const bodies: string[] = []
  let dump = ''
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text
    })
    request.on('end', () => {
      bodies.push(body)
      dump += `${request.url} ${JSON.stringify(request.headers)}\n${body}\n`
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    spans: () => bodies.flatMap((body) => spansIn(JSON.parse(body))),
    dump: () => dump,
    stop: () => {
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
type WireSpan = Omit<CollectedSpan, 'attributes'> & {
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
}

function spansIn({ resourceSpans }: Wire): CollectedSpan[] {
  return resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .map((span) => ({
      ...span,
      parentSpanId: span.parentSpanId ?? '',
      attributes: Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
    }))
}
