import { createAdmission } from './admission/admission.ts'
import { BatchTurns } from './admission/batch-turns.ts'
import { callerKey, type KeyedCaller, type KeyedCallers } from './admission/caller.ts'
import type { Usage } from './admission/usage.ts'
import { createCache } from './cache/cache.ts'
import { SingleFlight } from './cache/single-flight.ts'
import type { ReadAgreement, Services } from './calls/services.ts'
import { reloadSubscriptions } from './calls/subscribe.ts'
import { type Chain, type Chains, chainsOf, createChain } from './chain/chain.ts'
import { chainSnapshot } from './chain/snapshot.ts'
import { createTrust } from './chain/suspects.ts'
import type { Config } from './config/config-types.ts'
import type { EngineEvent } from './events/events.ts'
import type { Ports } from './events/ports.ts'
import { Filters } from './filters/filters.ts'
import { Connection, type ConnectionOptions } from './http/connection.ts'
import type { GatewayRequest, GatewayResponse } from './http/gateway-request.ts'
import { handle } from './http/handler.ts'
import type { SeenBlock } from './ledger/blocks.ts'
import type { History, HistoryRange, HistoryStep } from './ledger/history.ts'
import { Ledger } from './ledger/ledger.ts'
import type { NodeHours } from './ledger/node-hours.ts'
import type { SignedFinality, Snapshot } from './ledger/snapshot-types.ts'
import { GatheredProofs } from './proving/gathered-proofs.ts'
import { Subscriptions } from './subscriptions/subscriptions.ts'
import { createWrites } from './writes/writes.ts'

/**
 * Builds an engine from a parsed configuration.
 *
 * @example
 * const gateway = createGateway(parseConfig(json, env), { clock: systemClock(), random: Math.random, send })
 * const { status, headers, body } = await gateway.handle({
 *   method: 'POST',
 *   path: '/api/rpc/137',
 *   header: (name) => (name === 'content-type' ? 'application/json' : null),
 *   body: async () => ({ text: '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}' }),
 *   caller: null,
 *   origin: null,
 *   signal: AbortSignal.timeout(10_000),
 * })
 */
export function createGateway(config: Config, ports: Ports): Gateway {
  return new Gateway(config, ports)
}

/** One engine: all its state lives and ends with it. */
export class Gateway {
  readonly #ports: Ports
  readonly #startedMs: number
  readonly #ledger: Ledger
  readonly #services: Services
  #config: Config
  readonly #served: ServedChains
  #isDraining = false
  /** Requests that have not been answered, including those whose body is still arriving. */
  #open = 0
  #drained: Promise<void> | null = null
  #answered = () => {}

  /** Certificates of the latest answers, all or within a time range, newest first. */
  readonly certificates: Ledger['certificates'] = (most, range) => this.#ledger.certificates(most, range)
  /** The last failures and disputes, newest first. */
  readonly disputes: Ledger['disputes'] = (most, range) => this.#ledger.disputes(most, range)
  readonly certificate: Ledger['certificate'] = (id) => this.#ledger.certificate(id)
  /** The last day, in steps of 10 s or more. */
  readonly history = (range: HistoryRange): History => this.#ledger.history.read(range)
  /** One step of it, to be kept outside; null where nothing happened in it. */
  readonly historyStep = (step: number): HistoryStep | null => this.#ledger.history.readStep(step)
  /** Adds steps that were kept outside and are over. */
  readonly restoreHistory = (steps: readonly HistoryStep[]): void => this.#ledger.history.restore(steps)

  constructor(config: Config, ports: Ports) {
    const ledger = new Ledger(ports.clock)
    const observe = catchObserverErrors(ports.emit, ({ type }) => ledger.observerFailed(type))
    this.#ports = ports
    this.#startedMs = ports.clock.now()
    this.#ledger = ledger
    this.#services = createServices(config, ports, {
      emit(event) {
        ledger.note(event)
        observe(event)
      },
      proofOf: (id) => ledger.proofOf(id),
    })
    this.#config = config
    this.#served = new ServedChains(this.#chainsOf(config, new Map()))
  }

  /** Answers `POST /api/rpc/{chainId}` for the caller whose key it has; never throws, never answers anything but JSON-RPC. */
  handle(request: GatewayRequest, keyed: KeyedCaller | null = null): Promise<GatewayResponse> {
    this.#open += 1
    const { limits } = this.#config
    const served = this.#served.enter()
    const onEnd = () => {
      this.#served.leave(served)
      this.#open -= 1
      if (this.#isDraining && this.#open === 0) this.#answered()
    }
    const options = { chains: served.chains, limits, isDraining: this.#isDraining, keyed, onEnd }
    return handle(request, this.#services, options)
  }

  /**
   * A connection that stays, such as a WebSocket: each message is answered as a request is, and it may subscribe.
   *
   * @example
   * const connection = gateway.connect({ path, header, caller, origin: null, send: (text) => socket.send(text), end: () => socket.close() })
   * socket.on('message', (data) => void connection.receive(String(data)))
   * socket.on('close', () => connection.close())
   */
  connect(options: ConnectionOptions): Connection {
    return new Connection(options, {
      handle: (request, keyed) => this.handle(request, keyed),
      onClose: (connection) => this.#services.subscriptions?.leave(connection),
    })
  }

  /** What all connections have subscribed to. */
  subscriptions(): number {
    return this.#services.subscriptions?.count() ?? 0
  }

  snapshot(): Snapshot {
    const nowMs = this.#ports.clock.now()
    const chains = [...this.#served.now().values()].map((chain) => chainSnapshot(chain, this.#ledger, nowMs))
    const nodes = chains.flatMap((chain) => chain.nodes)
    return {
      version: 1,
      atMs: nowMs,
      startedMs: this.#startedMs,
      draining: this.#isDraining,
      chains,
      cache: this.#services.cache.size(),
      inFlight: {
        requests: this.#services.admission.inFlight(),
        requestsMax: this.#config.limits.inFlightMax,
        upstreamRequests: nodes.reduce((sum, { inFlight }) => sum + inFlight, 0),
      },
      counters: this.#ledger.counters(),
      histograms: this.#ledger.histograms(),
    }
  }

  /** Polls the heads that are older than `ageMs`; for the health route. */
  async refresh(ageMs: number): Promise<void> {
    const oldestMs = this.#ports.clock.now() - ageMs
    const chains = [...this.#served.now().values()]
    const isOld = ({ heads }: Chain) => (heads.current()?.seenMs ?? Number.NEGATIVE_INFINITY) < oldestMs
    await Promise.all(chains.filter(isOld).map(({ heads }) => heads.poll()))
  }

  /** The last blocks of each chain, and when each node showed them, the oldest first. */
  blocks(): readonly { readonly chainId: number; readonly blocks: readonly SeenBlock[] }[] {
    return [...this.#served.now().keys()].map((chainId) => ({
      chainId,
      blocks: this.#ledger.blocks(chainId),
    }))
  }

  /**
   * Takes the cost of what the host does for a caller beside calls, such as a page. Returns 0, or how many milliseconds to
   * wait, having taken nothing.
   */
  spend(cost: number, caller: string | null, keyed: KeyedCaller | null = null): number {
    const key = keyed?.budgetKey ?? (caller === null ? null : callerKey(caller))
    return this.#services.admission.spend(cost, key)
  }

  /** What each node did by hour. */
  get hours(): NodeHours {
    return this.#ledger.hours
  }

  /** The callers that the configuration gives keys. */
  get keyed(): KeyedCallers {
    return this.#services.admission.keyed
  }

  /** What they have used. */
  get usage(): Usage {
    return this.#services.admission.usage
  }

  /** Takes over a new configuration without dropping a call: chains that are gone end with the last call that uses them. */
  reload(next: Config): void {
    const { cache, admission } = this.#services
    const old = this.#served.now()
    const chains = this.#chainsOf(next, old)
    this.#served.replace(chains)
    this.#config = next
    const keys = new Set(keysOf(chains))
    for (const key of keysOf(old)) if (!keys.has(key)) cache.forget(key)
    admission.reload(next)
    const { subscriptions } = this.#services
    if (subscriptions !== null) reloadSubscriptions(subscriptions, this.#services, chains)
  }

  /** Takes a node out of use, or back; `by` names who does, if they said. False when there is no such node. */
  cordon(chainId: number, name: string, cordoned: boolean, by: string | null = null): boolean {
    const chain = this.#served.now().get(chainId)
    const node = chain?.nodes.find(({ options }) => options.name === name)
    if (chain === undefined || node === undefined) return false
    chain.suspects.cordon(node, cordoned ? { by, sinceMs: this.#ports.clock.now() } : null, by)
    return true
  }

  /**
   * Takes in the last block of a chain that its validators have signed as final: no head that contradicts it is served. The host has
   * verified the signatures. Call it again after a reload of the configuration.
   */
  sign(chainId: number, finality: SignedFinality): void {
    this.#served.now().get(chainId)?.sign(finality)
  }

  /** Refuses new calls with 503; resolves when those in flight have been answered and their transactions are with every node. */
  drain(): Promise<void> {
    this.#isDraining = true
    this.#services.writes.waits.ended.abort()
    // A caller is answered at the first acceptance; the other nodes have the transaction only when they have replied.
    this.#drained ??= new Promise<void>((resolve) => {
      this.#answered = resolve
      if (this.#open === 0) resolve()
    }).then(() => this.#services.writes.settled())
    return this.#drained
  }

  /** Aborts what is in flight and leaves no timer. */
  close(): void {
    this.#isDraining = true
    this.#services.subscriptions?.close()
    this.#services.writes.close()
    this.#served.close()
  }

  #chainsOf(config: Config, old: Chains): Chains {
    const { nextId, emit, cache, writes } = this.#services
    return chainsOf(config, old, (chain, answerBytesMax, previous) => {
      // Blocks kept by number may belong to a chain that is gone, and so may the nonces of transactions sent to it.
      const onDeepReorg = (key: string) => {
        cache.forget(key)
        writes.nonces.forgetChain(chain.id)
      }
      const trust = previous?.trust ?? createTrust()
      const { hours } = this.#ledger
      return createChain(chain, { nextId, answerBytesMax, trust, hours, onDeepReorg }, this.#ports, emit)
    })
  }
}

const keysOf = (chains: Chains): readonly string[] =>
  [...chains.values()].flatMap(({ key, under }) => [key, under.protected.key, under.bridge.key])

/** The chains of one configuration, and how many calls in flight use them. */
interface Served {
  readonly chains: Chains
  calls: number
}

/** The chains that are served now, and those of earlier configurations while a call in flight uses them. */
class ServedChains {
  #now: Served
  readonly #before = new Set<Served>()

  constructor(chains: Chains) {
    this.#now = { chains, calls: 0 }
  }

  now(): Chains {
    return this.#now.chains
  }

  /** Serves these from now on. */
  replace(chains: Chains): void {
    this.#before.add(this.#now)
    this.#now = { chains, calls: 0 }
    this.#closeUnused()
  }

  /** The chains for a call, which are not closed before it leaves. */
  enter(): Served {
    this.#now.calls += 1
    return this.#now
  }

  leave(served: Served): void {
    served.calls -= 1
    this.#closeUnused()
  }

  close(): void {
    for (const { chains } of [this.#now, ...this.#before]) for (const chain of chains.values()) chain.close()
  }

  #closeUnused(): void {
    if (this.#before.size === 0) return
    const unused = [...this.#before].filter(({ calls }) => calls === 0)
    for (const served of unused) this.#before.delete(served)
    const left = new Set<Chain>([this.#now, ...this.#before].flatMap(({ chains }) => [...chains.values()]))
    for (const { chains } of unused) for (const chain of chains.values()) if (!left.has(chain)) chain.close()
  }
}

/** Calls the host's observer so that no call is lost when it throws or when the promise that it returns rejects. */
function catchObserverErrors(
  observe: (event: EngineEvent) => unknown = () => {},
  onFailure: (event: EngineEvent) => void,
): (event: EngineEvent) => void {
  return (event) => {
    try {
      const returned = observe(event)
      if (returned instanceof Promise) returned.catch(() => onFailure(event))
    } catch {
      onFailure(event)
    }
  }
}

/** Everything that one engine consists of beside its chains. */
function createServices(
  config: Config,
  { clock, random, randomBytes, traceOf, budgetPeers }: Ports,
  { emit, proofOf }: Pick<Services, 'emit' | 'proofOf'>,
): Services {
  const nextId = createIds(random)
  return {
    clock,
    random,
    emit,
    nextId,
    traceOf: traceOf ?? null,
    admission: createAdmission(config, clock, budgetPeers),
    cache: createCache(),
    singleFlight: createSingleFlights(),
    gathered: new GatheredProofs(clock),
    batchTurns: new BatchTurns(clock),
    proofOf,
    filters: randomBytes === undefined ? null : new Filters({ clock, randomBytes }),
    subscriptions: randomBytes === undefined ? null : new Subscriptions({ clock, randomBytes }),
    writes: createWrites({ clock, nextId, onVerdict: (evidence) => emit({ type: 'verdict', evidence }) }),
  }
}

/** The reads in flight of each chain, which go when it goes. */
function createSingleFlights(): Services['singleFlight'] {
  const flights = new WeakMap<Chain, SingleFlight<ReadAgreement>>()
  return (chain) => {
    const known = flights.get(chain)
    if (known !== undefined) return known
    const made = new SingleFlight<ReadAgreement>(chain.stallMs)
    flights.set(chain, made)
    return made
  }
}

/** Ids that are short, in order, and cannot be guessed from those of another process. */
function createIds(random: () => number): () => string {
  const start = Math.floor(random() * 36 ** 8)
    .toString(36)
    .padStart(8, '0')
  let count = 0
  return () => `${start}-${(count++).toString(36)}`
}
