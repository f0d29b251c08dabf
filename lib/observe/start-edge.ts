import { type Config, type EngineEvent, type Ports, systemClock } from '#rpc-proxy'
import type { Env } from '../config/env.ts'
import type { LogWriter } from './line.ts'
import { createPlainLog } from './log-plain.ts'
import { createObserver } from './observer.ts'
import { createRedactor } from './redact.ts'
import { createSampling, createTrace } from './trace.ts'
import { createTraced, type Traced } from './traced.ts'

export interface EdgeObserver {
  readonly emit: (event: EngineEvent) => void
  readonly log: LogWriter
  readonly traced: Traced
  /** With tracing: decides which trace a request belongs to. */
  readonly traceOf?: Ports['traceOf']
}

/** The edge isolate's log (console) and tracing (when a collector is configured). */
export async function startEdgeObserver(env: Env, config: Config): Promise<EdgeObserver> {
  const redactor = createRedactor(env, config)
  // biome-ignore lint/suspicious/noConsole: edge runtimes take their log from the console.
  const log = createPlainLog(env.LOG_LEVEL, redactor, (text) => console.log(text))
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT
  const tracing =
    endpoint === undefined ? null : (await import('./otlp.ts')).createTracer(env, { endpoint, redactor })
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
