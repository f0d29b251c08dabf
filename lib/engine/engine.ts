import { type Certificate, type Config, createGateway, type Gateway, type Ports } from '#rpc-proxy'
import { env } from '../config/env.ts'
import { initialConfig } from '../config/start-config.ts'
import type { Traced } from '../observe/traced.ts'
import { processWide } from '../process-wide.ts'

/** The engine of this process, or of this edge isolate. */
export interface Engine {
  readonly gateway: Gateway
  /** Remembers which requests were traced. */
  readonly traced: Traced
  /** The current configuration; changes only through `reload`. */
  readonly config: () => Config
  /** Applies a new configuration without dropping calls. */
  readonly reload: (config: Config) => void
  /** Refuses new calls; resolves when those in flight are answered. */
  readonly drain: () => Promise<void>
  readonly draining: () => boolean
}

/** Creates this process's engine. A second call returns the first one and ignores its arguments. */
export function startEngine(config: Config, ports: Ports, traced: Traced): Engine {
  shared.value ??= create(config, ports, traced)
  return shared.value
}

/** The engine of this process; null when the gateway is elsewhere. */
export function runningEngine(): Engine | null {
  return shared.value ?? null
}

/** The running engine's configuration, or the one that the process started with. */
export function runningConfig(): Config {
  return runningEngine()?.config() ?? startConfig()
}

const shared = processWide<Engine>('engine')

function create(config: Config, ports: Ports, traced: Traced): Engine {
  const gateway = createGateway(config, ports)
  let current = config
  let draining = false
  return {
    gateway,
    traced,
    config: () => current,
    reload(next) {
      gateway.reload(next)
      current = next
    },
    drain() {
      draining = true
      return gateway.drain()
    },
    draining: () => draining,
  }
}

let parsed: Config | undefined

function startConfig(): Config {
  parsed ??= initialConfig(env())
  return parsed
}

/** A certificate and the trace that produced its answer. */
export interface TracedCertificate extends Certificate {
  /** Null when that request was not traced. */
  readonly traceId: string | null
}

/** One answer's certificate; null when it is no longer stored. */
export function answerOf(
  { gateway, traced }: { readonly gateway: Gateway; readonly traced: Traced },
  id: string,
): TracedCertificate | null {
  const certificate = gateway.certificate(id)
  return certificate && { ...certificate, traceId: traced.traceOf(id) }
}
