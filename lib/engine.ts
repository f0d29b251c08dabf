import { type Config, createGateway, type Gateway, type Ports } from '#rpc-proxy'
import { initialConfig } from './config.ts'
import { env } from './env.ts'
import type { Traced } from './observe/traced.ts'

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
  slots[slot] ??= create(config, ports, traced)
  return slots[slot]
}

/** The engine of this process; null when the gateway is elsewhere. */
export function runningEngine(): Engine | null {
  return slots[slot] ?? null
}

/** The running engine's configuration, or the one that the process started with. */
export function runningConfig(): Config {
  return runningEngine()?.config() ?? startConfig()
}

// Next bundles every module several times: server.ts, pages, route handlers and each edge isolate have their own copy. So what
// must exist once is a property of the global object.
const slot = Symbol.for('quorate.engine')
const slots = globalThis as unknown as Record<symbol, Engine | undefined>

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
