import type { Config } from '#rpc-proxy'
import type { Env } from '../config/env.ts'
import { createHostObserver, type HostObserver } from './host-observer.ts'
import { createPlainLog } from './log-plain.ts'
import { createRedactor } from './redact.ts'

/** The edge isolate's log, on the console, and tracing. */
export function startEdgeObserver(env: Env, config: Config): Promise<HostObserver> {
  const redactor = createRedactor(env, config)
  // biome-ignore lint/suspicious/noConsole: edge runtimes take their log from the console.
  const log = createPlainLog(env.LOG_LEVEL, redactor, (text) => console.log(text))
  return createHostObserver(env, config, { log, redactor })
}
