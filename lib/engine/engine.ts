import { type Certificate, type Config, createGateway, type Ports } from '#rpc-proxy'
import { env } from '../config/env.ts'
import { initialConfig } from '../config/start-config.ts'
import type { Traced } from '../observe/traced.ts'
import { processWide } from '../process-wide.ts'
import { createHealth } from './health-report.ts'
import { type Peers, shareCertificates, shareCordons } from './peers.ts'
import { reportOf, shareReports } from './replicas.ts'
import { shareBudgets, shareNodes } from './shared-budgets.ts'

/** The engine of this process, or of this edge isolate. */
export type Engine = ReturnType<typeof create>

interface EngineOptions {
  readonly traced: Traced
  readonly peers?: Peers | null
  /** The name of this process among others. */
  readonly replica?: string | null
}

/** Creates this process's engine. A second call returns the first one and ignores its arguments. */
export function startEngine(config: Config, ports: Ports, options: EngineOptions): Engine {
  shared.value ??= create(config, ports, options)
  return shared.value
}

/** The engine of this process; null when the gateway is elsewhere. */
export function runningEngine(): Engine | null {
  return shared.value
}

/** The running engine's configuration, or the one that the process started with. */
export function runningConfig(): Config {
  const running = runningEngine()
  if (running !== null) return running.config()
  startConfig ??= initialConfig(env())
  return startConfig
}

let startConfig: Config | undefined
const shared = processWide<Engine | null>('engine', null)

function create(config: Config, ports: Ports, { traced, peers = null, replica = null }: EngineOptions) {
  const gateway = createGateway(config, {
    ...ports,
    ...(peers !== null && { budgetPeers: shareBudgets(peers), nodePeers: shareNodes(peers) }),
  })
  const certificateHere = (id: string): TracedCertificate | null => {
    const certificate = gateway.certificate(id)
    return certificate && { ...certificate, traceId: traced.traceOf(id) }
  }
  const elsewhere = peers && shareCertificates(certificateHere, peers)
  let current = config
  let draining = false
  return {
    gateway,
    /** What the public health route answers. */
    health: createHealth(gateway, () => ports.clock.now()),
    /** Remembers which requests were traced. */
    traced,
    /** The current configuration; changes only through `reload`. */
    config: () => current,
    /** Null where this process is alone. */
    peers,
    /** Takes a node out of use, or back, in all processes of this service. */
    cordon: peers === null ? gateway.cordon.bind(gateway) : shareCordons(gateway, peers, Date.now),
    /** One answer's certificate, whichever process gave it; null when it is no longer stored. */
    certificate: async (id: string): Promise<TracedCertificate | null> =>
      certificateHere(id) ?? elsewhere?.(id) ?? null,
    /** All processes of this service, this one first; null where it is alone. */
    replicas:
      peers === null
        ? null
        : shareReports(
            () => reportOf({ replica: replica ?? '', isJoined: peers.isJoined() }, gateway.snapshot()),
            peers,
          ),
    /** Applies a new configuration without dropping calls. */
    reload(next: Config): void {
      gateway.reload(next)
      current = next
    },
    /** Refuses new calls; resolves when those in flight are answered. */
    drain(): Promise<void> {
      draining = true
      return gateway.drain()
    },
    draining: () => draining,
  }
}

/** A certificate and the trace that produced its answer. */
export interface TracedCertificate extends Certificate {
  /** Null when that request was not traced. */
  readonly traceId: string | null
}
