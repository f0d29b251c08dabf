import { type Config, systemClock } from '#rpc-proxy'
import type { Env } from '../config/env.ts'
import type { LogWriter } from './line.ts'
import { createObserver } from './observer.ts'
import type { CollectorOptions } from './otlp.ts'
import type { Redactor } from './redact.ts'
import { createTraced } from './traced.ts'

interface ObserverPorts {
  readonly log: LogWriter
  readonly redactor: Redactor
  /** How the collector is reached, and who is told of lost spans; called where there is one. */
  readonly connect?: () => Pick<CollectorOptions, 'httpAgentOptions' | 'onLoss'>
}

/** The log of a host and, with a collector, its traces. */
export async function createHostObserver(
  env: Env,
  config: Config,
  { log, redactor, connect = () => ({}) }: ObserverPorts,
) {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT
  let trustedHops = trustedHopsOf(config)
  const tracing =
    endpoint === undefined
      ? null
      : await startTracing(env, { endpoint, redactor, ...connect() }, () => trustedHops > 0)
  const traced = createTraced()
  return {
    emit: createObserver({ log, trace: tracing?.trace ?? null, traced, clock: systemClock() }),
    log,
    traced,
    /** Decides which trace a request belongs to. */
    ...(tracing !== null && { traceOf: tracing.traceOf }),
    /** Must be called with a new configuration before anything of it is logged. */
    learn(next: Config) {
      trustedHops = trustedHopsOf(next)
      redactor.learn(next)
    },
    /** Must be called with new secrets of the environment before anything of them is logged. */
    learnSecrets: redactor.learnSecrets,
    /** Exports the spans that are buffered. */
    flush: async () => tracing?.flush(),
  }
}

/** Loads OpenTelemetry, of which a process without a collector needs nothing. */
async function startTracing(env: Env, collector: CollectorOptions, isParentTrusted: () => boolean) {
  const [{ createTracer }, { createSampling, createTrace }] = await Promise.all([
    import('./otlp.ts'),
    import('./trace.ts'),
  ])
  const { tracer, ids, flush } = createTracer(env, collector)
  const ratio = env.OTEL_TRACES_SAMPLER_ARG
  const traceOf = createSampling({ ratio, isParentTrusted, random: Math.random })
  return { trace: createTrace(tracer, ids), traceOf, flush }
}

const trustedHopsOf = ({ rate }: Config): number => rate?.trustedHops ?? 0
