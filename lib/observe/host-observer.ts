import { type Config, type EngineEvent, type Ports, systemClock } from '#rpc-proxy'
import type { Env } from '../config/env.ts'
import type { LogWriter } from './line.ts'
import { createObserver } from './observer.ts'
import type { CollectorOptions } from './otlp.ts'
import type { Redactor } from './redact.ts'
import { createTraced, type Traced } from './traced.ts'

/** The log of a host and, with a collector, its traces. */
export interface HostObserver {
  readonly emit: (event: EngineEvent) => void
  readonly log: LogWriter
  readonly traced: Traced
  /** With tracing: decides which trace a request belongs to. */
  readonly traceOf?: Ports['traceOf']
  /** Must be called with a new configuration before anything of it is logged. */
  readonly learn: (config: Config) => void
  /** Must be called with new secrets of the environment before anything of them is logged. */
  readonly learnSecrets: (env: Env) => void
  /** Exports the spans that are buffered. */
  readonly flush: () => Promise<void>
}

interface ObserverPorts {
  readonly log: LogWriter
  readonly redactor: Redactor
  /** How the collector is reached, and who is told of lost spans; called where there is one. */
  readonly connect?: () => Pick<CollectorOptions, 'httpAgentOptions' | 'onLoss'>
}

export async function createHostObserver(
  env: Env,
  config: Config,
  { log, redactor, connect = () => ({}) }: ObserverPorts,
): Promise<HostObserver> {
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
    ...(tracing !== null && { traceOf: tracing.traceOf }),
    learn(next) {
      trustedHops = trustedHopsOf(next)
      redactor.learn(next)
    },
    learnSecrets: redactor.learnSecrets,
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
