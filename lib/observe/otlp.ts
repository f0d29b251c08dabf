import type { Tracer } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Env } from '../config/env.ts'
import { prefix } from '../public-names.ts'
import type { Redactor } from './redact.ts'
import { createIds, type Ids } from './trace-ids.ts'

/** How the exporter connects to the collector; without it, as the platform does. */
type ConnectOptions = Pick<
  NonNullable<ConstructorParameters<typeof OTLPTraceExporter>[0]>,
  'httpAgentOptions'
>

export interface CollectorOptions extends ConnectOptions {
  readonly endpoint: string
  readonly redactor: Redactor
}

/** A tracer that exports to the collector. It has no sampler, because sampling was decided before. */
export function createTracer(
  env: Env,
  options: CollectorOptions,
): { readonly tracer: Tracer; readonly ids: Ids; readonly flush: () => Promise<void> } {
  const ids = createIds()
  const provider = new TracerProvider({
    idGenerator: ids.generator,
    resource: resourceFromAttributes({ 'service.name': env.OTEL_SERVICE_NAME }),
    spanProcessors: [spanProcessor(env, options)],
  })
  return { tracer: provider.getTracer(prefix), ids, flush: () => provider.forceFlush().catch(() => {}) }
}

/** Exports spans to the collector in batches, redacted. */
export function spanProcessor(
  env: Env,
  { endpoint, redactor, ...connect }: CollectorOptions,
): BatchSpanProcessor {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers: Object.fromEntries(pairs(env.OTEL_EXPORTER_OTLP_HEADERS ?? '')),
    ...connect,
  })
  return new BatchSpanProcessor({ exporter: redacting(exporter, redactor), scheduledDelayMillis: 1000 })
}

function redacting(inner: SpanExporter, redactor: Redactor): SpanExporter {
  return {
    export: (spans, done) =>
      inner.export(
        spans.map((span) => redacted(span, redactor)),
        done,
      ),
    shutdown: () => inner.shutdown(),
    forceFlush: () => inner.forceFlush?.() ?? Promise.resolve(),
  }
}

/** The span with secrets redacted in its name and attributes; the same object when there are none. */
function redacted(span: ReadableSpan, { text }: Redactor): ReadableSpan {
  const name = text(span.name)
  const entries = Object.entries(span.attributes)
  const clean = entries.map(
    ([key, value]) => [key, typeof value === 'string' ? text(withoutQuery(key, value)) : value] as const,
  )
  if (name === span.name && clean.every(([, value], at) => value === entries[at]?.[1])) return span
  return Object.create(span, { name: { value: name }, attributes: { value: Object.fromEntries(clean) } })
}

/** Next records the whole target of a page, and the query may contain a visitor's address. */
function withoutQuery(key: string, value: string): string {
  return key === 'http.target' ? (value.split('?')[0] ?? '') : value
}

/** `name=value,name=value` as in the OTLP specification; values are percent-encoded. */
function pairs(text: string): [string, string][] {
  return text
    .split(',')
    .map(
      (pair) =>
        [pair.slice(0, pair.indexOf('=')).trim(), pair.slice(pair.indexOf('=') + 1).trim()] as [
          string,
          string,
        ],
    )
    .filter(([name]) => name !== '')
    .map(([name, value]) => [name, decodeURIComponent(value)])
}
