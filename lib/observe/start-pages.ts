import { SpanKind, trace } from '@opentelemetry/api'
import { startNodeSdk } from '@opentelemetry/sdk-node'
import {
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'
import type { Config } from '#rpc-proxy'
import type { Env } from '../config/env.ts'
import { base } from '../public-names.ts'
import { collectorAgent } from '../transport/collector-agent.ts'
import { spanProcessor } from './otlp.ts'
import { createRedactor } from './redact.ts'

/** Exports Next's own spans of pages and routes, except `/api/rpc`, which the gateway traces in more detail. */
export async function startPageTracing(env: Env, endpoint: string, config: Config): Promise<void> {
  const ratio = new TraceIdRatioBasedSampler(env.OTEL_TRACES_SAMPLER_ARG)
  const isParentTrusted = (config.rate?.trustedHops ?? 0) > 0
  const sampler = new ParentBasedSampler({
    root: ratio,
    ...(!isParentTrusted && { remoteParentSampled: ratio, remoteParentNotSampled: ratio }),
  })
  startNodeSdk({
    resourceAttributes: { 'service.name': env.OTEL_SERVICE_NAME },
    spanProcessors: [
      spanProcessor(env, {
        endpoint,
        redactor: createRedactor(env, config),
        httpAgentOptions: collectorAgent(env),
      }),
    ],
    sampler: pagesAlone(sampler),
    resourceDetectors: [],
    metricReaders: [],
    logRecordProcessors: [],
  })
}

/** Drops the gateway's requests, and spans of Next outside of any request. */
function pagesAlone(inner: Sampler): Sampler {
  return {
    shouldSample(...given) {
      const [context, , , kind, attributes] = given
      const target = attributes['http.target']
      const isGateway = typeof target === 'string' && target.startsWith(`${base}/`)
      const isOrphan = kind !== SpanKind.SERVER && trace.getSpanContext(context) === undefined
      return isGateway || isOrphan ? { decision: SamplingDecision.NOT_RECORD } : inner.shouldSample(...given)
    },
    toString: () => `PagesAlone(${inner})`,
  }
}
