import { DiagLogLevel, diag, type Tracer } from '@opentelemetry/api'
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
import { SpanIds } from './trace-ids.ts'

/** How the exporter connects to the collector; without it, as the platform does. */
type ConnectOptions = Pick<
  NonNullable<ConstructorParameters<typeof OTLPTraceExporter>[0]>,
  'httpAgentOptions'
>

export interface CollectorOptions extends ConnectOptions {
  readonly endpoint: string
  readonly redactor: Redactor
  /** Spans were lost. */
  readonly onLoss?: (reason: TraceLoss) => void
}

/** Why the collector did not take all spans: it replied with another status, not in time or not at all, or took a part only. */
export type TraceLoss = 'status' | 'timeout' | 'unreachable' | 'partial'

/** A tracer that exports to the collector. It has no sampler, because sampling was decided before. */
export function createTracer(
  env: Env,
  options: CollectorOptions,
): { readonly tracer: Tracer; readonly ids: SpanIds; readonly flush: () => Promise<void> } {
  const ids = new SpanIds()
  const provider = new TracerProvider({
    idGenerator: ids,
    resource: resourceFromAttributes({ 'service.name': env.OTEL_SERVICE_NAME }),
    spanProcessors: [spanProcessor(env, options)],
  })
  return { tracer: provider.getTracer(prefix), ids, flush: () => provider.forceFlush().catch(() => {}) }
}

/** Exports spans to the collector in batches, redacted. */
export function spanProcessor(
  env: Env,
  { endpoint, redactor, onLoss, ...connect }: CollectorOptions,
): BatchSpanProcessor {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers: Object.fromEntries(pairs(env.OTEL_EXPORTER_OTLP_HEADERS ?? '')),
    ...connect,
  })
  if (onLoss !== undefined) reportPartial(onLoss)
  return new BatchSpanProcessor({
    exporter: redacting(exporter, redactor, onLoss),
    scheduledDelayMillis: 1000,
  })
}

/** The exporter tells of a part that was not taken as a diagnostic alone. */
function reportPartial(onLoss: (reason: TraceLoss) => void): void {
  const ignore = () => {}
  const warn = (message: string) => {
    if (message.startsWith('Received Partial Success')) onLoss('partial')
  }
  const logger = { verbose: ignore, debug: ignore, info: ignore, warn, error: ignore }
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
}

function lossOf(error: Error | undefined): TraceLoss {
  if (error !== undefined && 'code' in error && typeof error.code === 'number') return 'status'
  return /time(d )?-?out/i.test(error?.message ?? '') ? 'timeout' : 'unreachable'
}

function redacting(
  inner: SpanExporter,
  redactor: Redactor,
  onLoss: CollectorOptions['onLoss'],
): SpanExporter {
  return {
    export: (spans, done) =>
      inner.export(
        spans.map((span) => redacted(span, redactor)),
        (result) => {
          if (result.code !== 0) onLoss?.(lossOf(result.error))
          done(result)
        },
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
  return text.split(',').flatMap((pair): [string, string][] => {
    const at = pair.indexOf('=')
    const name = pair.slice(0, at).trim()
    return name === '' ? [] : [[name, decodeURIComponent(pair.slice(at + 1).trim())]]
  })
}
