import type { Config } from '#rpc-proxy'
import type { Env } from '../config/env.ts'
import { collectorAgent } from '../transport/collector-agent.ts'
import type { HostCounts } from './host-counts.ts'
import { createHostObserver, type HostObserver } from './host-observer.ts'
import { createPinoLog } from './log-pino.ts'
import { createRedactor } from './redact.ts'
import { createTraceLosses } from './trace-losses.ts'

export interface NodeObserver extends Omit<HostObserver, 'flush'> {
  /** Must be called with new secrets of the environment before anything of them is logged. */
  readonly learnSecrets: (env: Env) => void
  /** Writes everything that is buffered. False when the system holds a write of the log and would hold the exit. */
  readonly flush: () => Promise<boolean>
}

/** The Node host's log (pino) and tracing. Log lines name the `replica`, where there is more than one. */
export async function startNodeObserver(
  env: Env,
  config: Config,
  { replica, counts }: { readonly replica: string | null; readonly counts: HostCounts },
): Promise<NodeObserver> {
  const redactor = createRedactor(env, config)
  const log = await createPinoLog({ level: env.LOG_LEVEL, replica, counts }, redactor)
  const observer = await createHostObserver(env, config, {
    log,
    redactor,
    connect: () => ({ httpAgentOptions: collectorAgent(env), onLoss: createTraceLosses(log, counts) }),
  })
  return {
    ...observer,
    learnSecrets: redactor.learnSecrets,
    flush: () => observer.flush().then(log.flush),
  }
}
