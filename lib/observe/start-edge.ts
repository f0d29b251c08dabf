import { type Config, type EngineEvent, type Ports, systemClock } from '#rpc-proxy'
import type { Env } from '../env.ts'
import type { Log } from './line.ts'
import { createPlainLog } from './log-plain.ts'
import { createObserver } from './observer.ts'
import { createRedactor } from './redact.ts'
import { createSampling, createTrace } from './trace.ts'
import { createTraced, type Traced } from './traced.ts'

export interface EdgeObserver {
  readonly emit: (event: EngineEvent) => void
  readonly log: Log
  readonly traced: Traced
  /** Where requests are traced: which trace one belongs to. */
  readonly traceOf?: Ports['traceOf']
}

/** The edge isolate's eyes: lines to the console, spans to the collector where there is one. */
export async function startEdgeObserver(env: Env, config: Config): Promise<EdgeObserver> {
  const redactor = createRedactor(env, config)
  // biome-ignore lint/suspicious/noConsole: the console is where an edge runtime takes its log from.
  const log = createPlainLog(env.LOG_LEVEL, redactor, (text) => console.log(text))
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT
  const tracing =
    endpoint === undefined ? null : (await import('./otlp.ts')).createTracer(env, endpoint, redactor)
  const trace = tracing && createTrace(tracing.tracer, tracing.ids)
  const traceOf = createSampling({
    ratio: env.OTEL_TRACES_SAMPLER_ARG,
    isParentTrusted: () => (config.rate?.trustedHops ?? 0) > 0,
    random: Math.random,
  })
  const traced = createTraced()
  const emit = createObserver({ log, trace, traced, clock: systemClock() })
  return { emit, log, traced, ...(tracing !== null && { traceOf }) }
}
