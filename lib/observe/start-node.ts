import { type Config, type EngineEvent, type Ports, systemClock } from '#rpc-proxy'
import type { Env } from '../config/env.ts'
import { collectorAgent } from '../transport/collector-agent.ts'
import type { HostCounts } from './host-counts.ts'
import type { LogWriter } from './line.ts'
import { createPinoLog } from './log-pino.ts'
import { createObserver } from './observer.ts'
import type { CollectorOptions } from './otlp.ts'
import { createRedactor } from './redact.ts'
import type { Trace } from './trace.ts'
import { createTraceLosses } from './trace-losses.ts'
import { createTraced, type Traced } from './traced.ts'

export interface NodeObserver {
  readonly emit: (event: EngineEvent) => void
  readonly log: LogWriter
  readonly traced: Traced
  /** With tracing: decides which trace a request belongs to. */
  readonly traceOf?: Ports['traceOf']
  /** Must be called with a new configuration before anything of it is logged. */
  readonly learn: (config: Config) => void
  /** The same with new secrets of the environment. */
  readonly learnSecrets: (env: Env) => void
  /** Writes everything that is buffered. False when the system holds a write of the log and would hold the exit. */
  readonly flush: () => Promise<boolean>
}

/** The Node host's log (pino) and tracing (when a collector is configured). Log lines name the `replica`, where there is more than one. */
export async function startNodeObserver(
  env: Env,
  config: Config,
  { replica, counts }: { readonly replica: string | null; readonly counts: HostCounts },
): Promise<NodeObserver> {
  const redactor = createRedactor(env, config)
  const log = await createPinoLog({ level: env.LOG_LEVEL, replica, counts }, redactor)
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT
  let trustedHops = trustedHopsOf(config)
  const collector =
    endpoint === undefined ? null : { endpoint, redactor, onLoss: createTraceLosses(log, counts) }
  const tracing = collector === null ? null : await startTracing(env, collector, () => trustedHops > 0)
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
    async flush() {
      await tracing?.flush()
      return log.flush()
    },
  }
}

interface Tracing {
  readonly trace: Trace
  readonly traceOf: NonNullable<Ports['traceOf']>
  readonly flush: () => Promise<void>
}

/** Loads OpenTelemetry, of which a process without a collector needs nothing. */
async function startTracing(
  env: Env,
  collector: Pick<CollectorOptions, 'endpoint' | 'redactor' | 'onLoss'>,
  isParentTrusted: () => boolean,
): Promise<Tracing> {
  const [{ createTracer }, { createSampling, createTrace }] = await Promise.all([
    import('./otlp.ts'),
    import('./trace.ts'),
  ])
  const { tracer, ids, flush } = createTracer(env, { ...collector, httpAgentOptions: collectorAgent(env) })
  const ratio = env.OTEL_TRACES_SAMPLER_ARG
  const traceOf = createSampling({ ratio, isParentTrusted, random: Math.random })
  return { trace: createTrace(tracer, ids), traceOf, flush }
}

const trustedHopsOf = ({ rate }: Config): number => rate?.trustedHops ?? 0
