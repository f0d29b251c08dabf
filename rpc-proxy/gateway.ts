import { createAdmission } from './admission/admission.ts'
import { callerKey } from './admission/caller.ts'
import { type Chain, createChain } from './chain.ts'
import type { Config } from './config-types.ts'
import type { EngineEvent, Evidence } from './events.ts'
import { Filters } from './filters/filters.ts'
import { handle } from './handler.ts'
import type { GatewayRequest, GatewayResponse } from './http.ts'
import type { SeenBlock } from './ledger/blocks.ts'
import type { Certificate } from './ledger/certificate.ts'
import type { History, HistoryRange, HistoryStep } from './ledger/history.ts'
import { createLedger } from './ledger/ledger.ts'
import type { Snapshot } from './ledger/snapshot-types.ts'
import { createCache } from './memory/cache.ts'
import { createSharing, type Sharing } from './memory/sharing.ts'
import type { Ports } from './ports.ts'
import type { Agreement } from './read.ts'
import type { Services } from './services.ts'
import { snapshotOf } from './snapshot.ts'
import type { Node } from './upstreams/node-types.ts'
import { createWrites } from './writes/writes.ts'

/** One engine: all its state lives and ends with it. */
export interface Gateway {
  /** Answers `POST /api/rpc/{chainId}`; never throws, never answers anything but JSON-RPC. */
  readonly handle: (request: GatewayRequest) => Promise<GatewayResponse>
  readonly snapshot: () => Snapshot
  /** Looks at the heads that are older than `ageMs`; for the health route. */
  readonly refresh: (ageMs: number) => Promise<void>
  /** The last answers' certificates, newest first. */
  readonly answers: (most: number) => readonly Certificate[]
  /** The last failures and disputes, newest first. */
  readonly disputes: (most: number) => readonly Certificate[]
  readonly answer: (id: string) => Certificate | null
  /** The last day, in steps of 10 s or more. */
  readonly history: (range: HistoryRange) => History
  /** One step of it, to be kept outside; null where nothing happened in it. */
  readonly historyStep: (step: number) => HistoryStep | null
  /** Adds steps that were kept outside and are over. */
  readonly restoreHistory: (steps: readonly HistoryStep[]) => void
  /** The last blocks of each chain, and when each node showed them, the oldest first. */
  readonly blocks: () => readonly { readonly chainId: number; readonly blocks: readonly SeenBlock[] }[]
  /**
   * Takes the cost of what the host does for a caller beside calls, such as a page. Answers 0, or how many milliseconds to
   * wait, having taken nothing.
   */
  readonly spend: (cost: number, caller: string | null) => number
  /** Takes over a new configuration without dropping a call. */
  readonly reload: (config: Config) => void
  /** Takes a node out of use, or back; `by` names who does, if they said. False when there is no such node. */
  readonly cordon: (chainId: number, node: string, cordoned: boolean, by?: string | null) => boolean
  /** Refuses new calls with 503; resolves when those in flight have been answered and their transactions are with every node. */
  readonly drain: () => Promise<void>
  /** Aborts what is in flight and leaves no timer. */
  readonly close: () => void
}

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
  const { clock, random } = ports
  const startedMs = clock.now()
  const ledger = createLedger({ clock })
  const nextId = createIds(random)
  let isDraining = false
  /** Requests that have not been answered, those whose body is still on its way included. */
  let open = 0
  let drained: Promise<void> | null = null
  let answered = () => {}

  const observe = guarded(ports.emit, ({ type }) => ledger.observerFailed(type))

  function emit(event: EngineEvent): void {
    ledger.note(event)
    observe(event)
  }

  const services: Services = {
    clock,
    random,
    emit,
    nextId,
    traceOf: ports.traceOf ?? null,
    admission: createAdmission(config, clock),
    cache: createCache(),
    sharing: createSharings(),
    filters:
      ports.randomBytes === undefined
        ? null
        : new Filters<Evidence | null>({ clock, randomBytes: ports.randomBytes }),
    writes: createWrites({ clock, nextId, onVerdict: (evidence) => emit({ type: 'verdict', evidence }) }),
  }
  let current = { config, chains: chainsOf(config, new Map()) }

  /** What is kept of a block by its number may be of a chain that is gone, and so may the nonces that went out to it. */
  function forgetChain(chainId: number, key: string): void {
    services.cache.forget(key)
    services.writes.nonces.forgetChain(chainId)
  }

  /** A chain whose configuration stays the same keeps all that it has learned. */
  function chainsOf(next: Config, old: ReadonlyMap<number, Chain>): ReadonlyMap<number, Chain> {
    return new Map(
      next.chains.map((chain) => {
        const kept = old.get(chain.id)
        const { answerBytesMax } = next.limits
        const isSame =
          kept?.answerBytesMax === answerBytesMax && JSON.stringify(kept.config) === JSON.stringify(chain)
        if (isSame) return [chain.id, kept]
        const made = createChain(
          chain,
          { nextId, answerBytesMax, onDeepReorg: (key) => forgetChain(chain.id, key) },
          ports,
          emit,
        )
        for (const before of kept?.nodes.filter(isCordoned) ?? [])
          made.nodes.find((node) => isSameNode(node, before.options))?.cordon(before.cordoned())
        return [chain.id, made]
      }),
    )
  }

  return {
    async handle(request) {
      open += 1
      try {
        return await handle(request, services, {
          chains: current.chains,
          limits: current.config.limits,
          isDraining,
        })
      } finally {
        open -= 1
        if (isDraining && open === 0) answered()
      }
    },
    snapshot: () =>
      snapshotOf({
        nowMs: clock.now(),
        startedMs,
        isDraining,
        chains: [...current.chains.values()],
        ledger,
        cache: services.cache.size(),
        requests: services.admission.inFlight(),
        requestsMax: current.config.limits.inFlightMax,
      }),
    async refresh(ageMs) {
      const old = [...current.chains.values()].filter(
        ({ heads }) => clock.now() - (heads.current()?.seenMs ?? Number.NEGATIVE_INFINITY) > ageMs,
      )
      await Promise.all(old.map(({ heads }) => heads.look()))
    },
    answers: ledger.answers,
    disputes: ledger.disputes,
    answer: ledger.answer,
    history: ledger.history.read,
    historyStep: ledger.history.take,
    restoreHistory: ledger.history.restore,
    blocks: () => [...current.chains.keys()].map((chainId) => ({ chainId, blocks: ledger.blocks(chainId) })),
    spend: (cost, caller) => services.admission.spend(cost, caller === null ? null : callerKey(caller)),
    reload(next) {
      const old = current.chains
      current = { config: next, chains: chainsOf(next, old) }
      const keys = new Set([...current.chains.values()].map(({ key }) => key))
      for (const { key } of old.values()) if (!keys.has(key)) services.cache.forget(key)
      services.admission.reload(next)
    },
    cordon(chainId, name, cordoned, by = null) {
      const node = current.chains.get(chainId)?.nodes.find(({ options }) => options.name === name)
      node?.cordon(cordoned ? { by, sinceMs: clock.now() } : null, by)
      return node !== undefined
    },
    drain() {
      isDraining = true
      // A caller is answered at the first acceptance; the other nodes have the transaction only when they have replied.
      drained ??= new Promise<void>((resolve) => {
        answered = resolve
        if (open === 0) resolve()
      }).then(() => services.writes.settled())
      return drained
    },
    close() {
      isDraining = true
      services.writes.close()
      for (const chain of current.chains.values()) chain.close()
    },
  }
}

/** The host's observer, called so that no call is lost by what it throws, or by the rejection of a promise that it returns. */
function guarded(
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

const isCordoned = (node: Node) => node.cordoned() !== null

/** What an operator took out stays out through a reload: the same name at the same address. */
function isSameNode({ options }: Node, { name, url }: Node['options']): boolean {
  return options.name === name && options.url === url
}

/** The asks under way of each chain, which go when it goes. */
function createSharings(): Services['sharing'] {
  const sharings = new WeakMap<Chain, Sharing<Agreement>>()
  return (chain) => {
    const known = sharings.get(chain)
    if (known !== undefined) return known
    const made = createSharing<Agreement>(chain.stallMs)
    sharings.set(chain, made)
    return made
  }
}

/** Ids that are short, in order, and not to be guessed from another process's. */
function createIds(random: () => number): () => string {
  const start = Math.floor(random() * 36 ** 8)
    .toString(36)
    .padStart(8, '0')
  let count = 0
  return () => `${start}-${(count++).toString(36)}`
}
