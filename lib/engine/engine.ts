import { type Certificate, type Config, createGateway, type Gateway, type Ports } from '#rpc-proxy'
import { env } from '../config/env.ts'
import { initialConfig } from '../config/start-config.ts'
import type { HostResponse } from '../http.ts'
import type { Traced } from '../observe/traced.ts'
import { processWide } from '../process-wide.ts'
import { createHealth } from './health-report.ts'
import { type Peers, shareCertificates, shareCordons } from './peers.ts'
import { type ReplicaReport, reportOf, shareReports } from './replicas.ts'
import { shareBudgets, shareNodes } from './shared-budgets.ts'

/** The engine of this process, or of this edge isolate. */
export interface Engine {
  readonly gateway: Gateway
  /** What the public health route answers. */
  readonly health: () => Promise<HostResponse>
  /** Remembers which requests were traced. */
  readonly traced: Traced
  /** The current configuration; changes only through `reload`. */
  readonly config: () => Config
  /** Takes a node out of use, or back, in all processes of this service. */
  readonly cordon: Gateway['cordon']
  /** The certificate of an answer that another process gave; null where none is found. */
  readonly certificateElsewhere: (id: string) => Promise<TracedCertificate | null>
  /** Null where this process is alone. */
  readonly peers: Peers | null
  /** All processes of this service, this one first; null where it is alone. */
  readonly replicas: (() => Promise<readonly ReplicaReport[]>) | null
  /** Applies a new configuration without dropping calls. */
  readonly reload: (config: Config) => void
  /** Refuses new calls; resolves when those in flight are answered. */
  readonly drain: () => Promise<void>
  readonly draining: () => boolean
}

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

function create(
  config: Config,
  ports: Ports,
  { traced, peers = null, replica = null }: EngineOptions,
): Engine {
  const gateway = createGateway(config, {
    ...ports,
    ...(peers !== null && { budgetPeers: shareBudgets(peers), nodePeers: shareNodes(peers) }),
  })
  let current = config
  let draining = false
  return {
    gateway,
    health: createHealth(gateway, () => ports.clock.now()),
    traced,
    config: () => current,
    peers,
    cordon: peers === null ? gateway.cordon.bind(gateway) : shareCordons(gateway, peers, Date.now),
    certificateElsewhere:
      peers === null
        ? async () => null
        : shareCertificates((id) => certificateOf({ gateway, traced }, id), peers),
    replicas:
      peers === null
        ? null
        : shareReports(
            () => reportOf({ replica: replica ?? '', isJoined: peers.isJoined() }, gateway.snapshot()),
            peers,
          ),
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

/** A certificate and the trace that produced its answer. */
export interface TracedCertificate extends Certificate {
  /** Null when that request was not traced. */
  readonly traceId: string | null
}

/** One answer's certificate, whichever process gave it; null when it is no longer stored. */
export async function answerOf(engine: Engine, id: string): Promise<TracedCertificate | null> {
  return certificateOf(engine, id) ?? engine.certificateElsewhere(id)
}

function certificateOf(
  { gateway, traced }: Pick<Engine, 'gateway' | 'traced'>,
  id: string,
): TracedCertificate | null {
  const certificate = gateway.certificate(id)
  return certificate && { ...certificate, traceId: traced.traceOf(id) }
}
