import { type Config, type EngineEvent, type Ports, type Series, systemClock } from '#rpc-proxy'
import type { Env } from '../config/env.ts'
import { collectorAgent } from '../transport/collector-agent.ts'
import type { LogWriter } from './line.ts'
import { createPinoLog } from './log-pino.ts'
import { createObserver } from './observer.ts'
import { createRedactor } from './redact.ts'
import { createSampling, createTrace } from './trace.ts'
import { createTraced, type Traced } from './traced.ts'

export interface NodeObserver {
  readonly emit: (event: EngineEvent) => void
  readonly log: LogWriter
  readonly traced: Traced
  /** With tracing: decides which trace a request belongs to. */
  readonly traceOf?: Ports['traceOf']
  /** Must be called with a new configuration before anything of it is logged. */
  readonly learn: (config: Config) => void
  /** Writes everything that is buffered. False when the system holds a write of the log and would hold the exit. */
  readonly flush: () => Promise<boolean>
  /** Metrics of the log. */
  readonly series: () => readonly Series<number>[]
}

/** The Node host's log (pino) and tracing (when a collector is configured). */
export async function startNodeObserver(env: Env, config: Config): Promise<NodeObserver> {
  const redactor = createRedactor(env, config)
  const log = await createPinoLog(env.LOG_LEVEL, redactor)
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT
  const tracing =
    endpoint === undefined
      ? null
      : (await import('./otlp.ts')).createTracer(env, {
          endpoint,
          redactor,
          httpAgentOptions: collectorAgent(env),
        })
  const trace = tracing && createTrace(tracing.tracer, tracing.ids)
  let trustedHops = trustedHopsOf(config)
  const traceOf = createSampling({
    ratio: env.OTEL_TRACES_SAMPLER_ARG,
    isParentTrusted: () => trustedHops > 0,
    random: Math.random,
  })
  const traced = createTraced()
  return {
    emit: createObserver({ log, trace, traced, clock: systemClock() }),
    log,
    traced,
    ...(tracing !== null && { traceOf }),
    learn(next) {
      trustedHops = trustedHopsOf(next)
      redactor.learn(next)
    },
    async flush() {
      await tracing?.flush()
      return log.flush()
    },
    series: log.series,
  }
}

const trustedHopsOf = ({ rate }: Config): number => rate?.trustedHops ?? 0
