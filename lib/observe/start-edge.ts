import { type Config, type EngineEvent, systemClock } from '#rpc-proxy'
import type { Env } from '../env.ts'
import type { Log } from './line.ts'
import { createPlainLog } from './log-plain.ts'
import { createObserver } from './observer.ts'
import { createRedactor } from './redact.ts'
import { createTrace } from './trace.ts'
import { createTraced, type Traced } from './traced.ts'

/** The edge isolate's eyes: lines to the console, spans to the collector where there is one. */
export async function startEdgeObserver(
  env: Env,
  config: Config,
): Promise<{ readonly emit: (event: EngineEvent) => void; readonly log: Log; readonly traced: Traced }> {
  const redactor = createRedactor(env, config)
  // biome-ignore lint/suspicious/noConsole: the console is where an edge runtime takes its log from.
  const log = createPlainLog(env.LOG_LEVEL, redactor, (text) => console.log(text))
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT
  const trace =
    endpoint === undefined
      ? null
      : createTrace((await import('./otlp.ts')).createTracer(env, endpoint, redactor).tracer, {
          ratio: env.OTEL_TRACES_SAMPLER_ARG,
          isParentTrusted: () => (config.rate?.trustedHops ?? 0) > 0,
          random: Math.random,
        })
  const traced = createTraced()
  return { emit: createObserver({ log, trace, traced, clock: systemClock() }), log, traced }
}
