import { type Config, createGateway, type Gateway, type Ports } from '#rpc-proxy'
import { initialConfig } from './config.ts'
import { env } from './env.ts'
import type { Traced } from './observe/traced.ts'

/** The engine of this process, or of this edge isolate. */
export interface Engine {
  readonly gateway: Gateway
  /** Which requests were traced. */
  readonly traced: Traced
  /** The configuration in force; changes only through `reload`. */
  readonly config: () => Config
  /** Takes over a new configuration without dropping a call. */
  readonly reload: (config: Config) => void
  /** Refuses new calls from now on; resolves when those in flight have been answered. */
  readonly drain: () => Promise<void>
  readonly draining: () => boolean
}

/** Makes this process's engine, once: a second call answers the first one's, whatever it is given. */
export function startEngine(config: Config, ports: Ports, traced: Traced): Engine {
  slots[slot] ??= create(config, ports, traced)
  return slots[slot]
}

/** The engine that runs here, or null where the gateway is elsewhere. */
export function runningEngine(): Engine | null {
  return slots[slot] ?? null
}

/** The configuration in force here: the running engine's, else the one that the process started with. */
export function runningConfig(): Config {
  return runningEngine()?.config() ?? startConfig()
}

// Next bundles every module several times over (server.ts, pages, route handlers and each edge isolate have their own), so
// what must exist once hangs on the global object.
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
