import type { NodeState } from '../events/events.ts'
import type { Clock } from '../runtime/clock.ts'
import { type FaultKind, isOwnFault } from '../wire/fault.ts'
import type { Reply } from '../wire/types.ts'

export interface NodeStatus {
  readonly state: NodeState
  readonly why: string | null
  readonly untilMs: number | null
}

/** An operator took a node out of use. */
export interface Cordon {
  /** Who did, if they said. */
  readonly by: string | null
  /** Epoch milliseconds. */
  readonly sinceMs: number
}

/** Until when a node is taken to serve another chain, epoch milliseconds, and why. */
export interface WrongChain {
  readonly untilMs: number
  readonly why: string
}

/** The block at which a node was contradicted. */
export interface DissentAt {
  readonly number: number
  /** Its head polls show another block there. */
  readonly isForked: boolean
}

type Kind = 'call' | 'caller-controlled' | 'head-poll'
type Fault = Extract<Reply, { kind: 'fault' }>

interface HealthPorts {
  readonly clock: Clock
  /** Until when it is taken to serve another chain, and why; null while it is not. */
  readonly wrongChain: () => WrongChain | null
  /** Whether its rate and its day have something left. */
  readonly hasBudget: () => boolean
  readonly onState: (from: NodeState, to: NodeState, why: string) => void
  /** It limits our rate, and for how many milliseconds, if it said that. */
  readonly onLimited: (ms: number | null) => void
}

const isUsable: NodeStatus = { state: 'usable', why: null, untilMs: null }

/** What becomes of the requests to one node, and what follows for its state. */
export class Health {
  readonly #ports: HealthPorts
  readonly #ejection
  readonly #rateLimited
  readonly deprioritized
  readonly unsupported
  #breaker: Breaker = closed
  /** How fast it replies, milliseconds; null before the first reply. */
  #meanMs: number | null = null
  #isPollWanted = false
  #cordoned: Cordon | null = null
  #isBehind = false
  #reported: NodeState = 'usable'
  #lastFault: FaultKind = 'connection'
  /** The kind of request that met the last fault. */
  #lastFaultOf: Kind = 'call'
  /** The POST of the last fault. */
  #lastPost: object | undefined

  constructor(ports: HealthPorts) {
    const now = () => ports.clock.now()
    this.#ports = ports
    this.#ejection = createEjection(now)
    this.#rateLimited = createRateLimited(now)
    this.deprioritized = createDeprioritized(now)
    this.unsupported = createUnsupported(now)
  }

  /**
   * Records the outcome of a request. A malformed reply, or silence while others replied, is a fault. Caller-controlled work counts neither
   * against the node's health nor for its latency: its failure makes the node due for a head poll, which does.
   */
  record(method: string, reply: Reply, ms: number, kind: Kind): void {
    if (kind === 'head-poll') this.#isPollWanted = false
    if (reply.kind === 'fault') this.#failed(method, reply, kind)
    else this.#replied(method, reply, ms, kind)
  }

  #replied(method: string, reply: Exclude<Reply, Fault>, ms: number, kind: Kind): void {
    // "Block not found" replies don't count towards latency.
    if (reply.kind !== 'behind' && kind !== 'caller-controlled') this.#meanMs = meanAfter(this.#meanMs, ms)
    if (kind === 'caller-controlled' && reply.kind !== 'unsupported') this.deprioritized.answered(method)
    if (this.#breaker !== closed && kind !== 'caller-controlled') {
      const nowMs = this.#ports.clock.now()
      const current = at(this.#breaker, nowMs)
      this.#breaker =
        kind === 'call' ? succeeded(current, nowMs) : headSeen(current, nowMs, this.#lastFaultOf)
      this.emitState('it answers')
    }
    if (kind === 'head-poll' && reply.kind === 'result' && this.#rateLimited.seen())
      this.emitState('it answers')
    if (reply.kind === 'unsupported' && (reply.why === 'method' || reply.why === 'unauthorized'))
      this.unsupported.method(method)
  }

  #failed(method: string, { fault, retryAfterMs, post }: Fault, kind: Kind): void {
    if (isOwnFault(fault)) return
    if (kind === 'caller-controlled') {
      this.#isPollWanted = true
      if (fault === 'rate-limited') this.deprioritized.limited(method, retryAfterMs)
      return
    }
    if (fault === 'rate-limited') {
      // Of many replies at once, the first is enough for others.
      if (this.#rateLimited.untilMs() === null) this.#ports.onLimited(retryAfterMs ?? null)
      this.#rateLimited.limited(retryAfterMs)
      this.emitState('it limits our rate')
      return
    }
    // The calls of one batch that failed as a whole have met one fault.
    if (post !== undefined && post === this.#lastPost) return
    this.#lastPost = post
    this.#lastFault = fault
    this.#lastFaultOf = kind
    const nowMs = this.#ports.clock.now()
    this.#breaker = failed(at(this.#breaker, nowMs), nowMs)
    this.emitState(`it failed: ${fault}`)
  }

  /** It said so to another engine. */
  limitedElsewhere(ms: number | null): void {
    this.#rateLimited.limited(ms ?? undefined)
    this.emitState('limits the rate of another process')
  }

  /** It was outvoted by these operators, more than half of all weight, on what no caller can forge. */
  recordDissent(by: readonly string[], at: DissentAt | null): void {
    if (this.#ejection.recordDissent(by, at)) this.emitState('it voted against the majority')
  }

  /** The word of this operator against it counts no more. */
  withdraw(operator: string): void {
    if (this.#ejection.withdraw(operator)) this.emitState('those who outvoted it are not believed')
  }

  /** It is cordoned or ejected, or was outvoted within the last minute. */
  isSuspect(): boolean {
    return this.#cordoned !== null || this.#ejection.wasOutvoted() || this.#ejection.untilMs() !== null
  }

  status(): NodeStatus {
    const { clock, wrongChain, hasBudget } = this.#ports
    if (this.#breaker !== closed) this.#breaker = at(this.#breaker, clock.now())
    const { state } = this.#breaker
    if (this.#cordoned !== null)
      return { state: 'cordoned', why: `cordoned by ${this.#cordoned.by ?? 'an operator'}`, untilMs: null }
    const other = wrongChain()
    if (other !== null) return { state: 'rate-limited', why: other.why, untilMs: other.untilMs }
    const ejectedMs = this.#ejection.untilMs()
    if (ejectedMs !== null) return { state: 'ejected', why: 'voted against the majority', untilMs: ejectedMs }
    const backoffMs = this.#rateLimited.untilMs()
    if (backoffMs !== null) return { state: 'rate-limited', why: 'limits our rate', untilMs: backoffMs }
    if (state === 'open')
      return { state, why: `failed too often: ${this.#lastFault}`, untilMs: this.#breaker.untilMs }
    if (state === 'half-open')
      return { state, why: `failed too often: ${this.#lastFault}; being tried`, untilMs: null }
    if (!hasBudget()) return { state: 'rate-limited', why: 'its budget is used up', untilMs: null }
    if (this.#isBehind) return { state: 'behind', why: 'stays behind the other nodes', untilMs: null }
    return isUsable
  }

  /** Says so when the state has changed since it was last told. */
  emitState(why: string): void {
    const { state } = this.status()
    if (state === this.#reported) return
    this.#ports.onState(this.#reported, state, why)
    this.#reported = state
  }

  /** A head poll decides whether it is back, or whether what failed at it was only what a caller chose. */
  isDue(): boolean {
    if (this.#cordoned !== null) return false
    const isHalfOpen = at(this.#breaker, this.#ports.clock.now()).state === 'half-open'
    return isHalfOpen || this.#isBehind || (this.#isPollWanted && this.status().state === 'usable')
  }

  /** Whether it stays behind the head that more than half of all weight shows. */
  staysBehind(isBehind: boolean): void {
    this.#isBehind = isBehind
    this.emitState(isBehind ? 'it stays behind the other nodes' : 'it has caught up')
  }

  /** Cordons it; with null it is in use again. */
  cordon(cordon: Cordon | null, by = cordon?.by): void {
    this.#cordoned = cordon
    this.emitState(`${by ?? 'an operator'} ${cordon ? 'cordoned it' : 'uncordoned it'}`)
  }

  /** Null while it is not cordoned. */
  cordoned(): Cordon | null {
    return this.#cordoned
  }

  score(): number {
    return scoreOf(this.#meanMs)
  }
}

const weightOfNewest = 0.1
/** Nothing is waited for so long: a longer time holds a sleep of the machine. */
const latencyMsMax = 10_000

/** A moving mean that follows in about ten replies; null before the first. */
export function meanAfter(meanMs: number | null, measuredMs: number): number {
  const ms = Math.min(measuredMs, latencyMsMax)
  return meanMs === null ? ms : meanMs + (ms - meanMs) * weightOfNewest
}

/**
 * Low is better. Latencies within a factor of about 1.4 score the same, so that chance and not noise decides between nodes
 * that are alike. A node not heard yet scores as a fast one: it has to be tried to be known.
 */
export function scoreOf(meanMs: number | null): number {
  return meanMs === null ? 0 : Math.max(0, Math.round(Math.log2(Math.max(meanMs, 1)) * 2))
}

/** Dissents within `dissentWindowMs` that eject it. */
const dissentsMax = 3
const dissentWindowMs = 60_000
/** Operators that must have outvoted it, together: two may be one liar's. */
const operatorsMin = 3
/** The first ejection; each further one is twice as long, up to `ejectMsMax`. */
const ejectMs = 60_000
const ejectMsMax = 3_600_000
/** Each such time without an ejection halves the next one, down to `ejectMs`. */
const ejectionQuietMs = 3_600_000

interface Dissent {
  readonly atMs: number
  readonly by: readonly string[]
  /** The number of a block where it shows another one; null for any other dissent. */
  readonly fork: number | null
}

/** Dissents that are remembered: a node that is never ejected may dissent at every call. */
const dissentsStored = 16

/** Votes against more than half of all weight, and how long the node is ejected for them. */
export function createEjection(now: () => number) {
  let untilMs = 0
  /** How often the next ejection has been doubled. */
  let ejections = 0
  let dissents: readonly Dissent[] = []
  /** For what it is ejected. */
  let grounds: readonly Dissent[] = []

  const recent = () => dissents.filter(({ atMs }) => now() - atMs < dissentWindowMs)
  const isEnough = (all: readonly Dissent[]) => new Set(all.flatMap(({ by }) => by)).size >= operatorsMin
  const without = (all: readonly Dissent[], operator: string) =>
    all.filter(({ by }) => !by.includes(operator))

  return {
    /**
     * It was outvoted by these operators, none of them a suspect. True when that ejects it. Whatever it says at a block that it
     * shows otherwise counts once.
     */
    recordDissent(by: readonly string[], at: DissentAt | null): boolean {
      const nowMs = now()
      const known = recent()
      const isSame = ({ fork }: Dissent) => at !== null && fork === at.number
      const fork = at !== null && (at.isForked || known.some(isSame)) ? at.number : null
      dissents = [...known.filter((each) => !isSame(each)), { atMs: nowMs, by, fork }].slice(-dissentsStored)
      if (dissents.length < dissentsMax || !isEnough(dissents) || nowMs < untilMs) return false
      grounds = dissents
      dissents = []
      ejections = Math.max(0, ejections - Math.floor((nowMs - untilMs) / ejectionQuietMs))
      untilMs = nowMs + Math.min(ejectMs * 2 ** ejections, ejectMsMax)
      if (ejectMs * 2 ** ejections < ejectMsMax) ejections++
      return true
    },
    /** The word of this operator against it counts no more. True when that ends its ejection. */
    withdraw(operator: string): boolean {
      const nowMs = now()
      dissents = without(dissents, operator)
      grounds = without(grounds, operator)
      if (nowMs >= untilMs || isEnough(grounds)) return false
      untilMs = nowMs
      ejections = Math.max(0, ejections - 1)
      return true
    },
    /** It was outvoted within `dissentWindowMs`. */
    wasOutvoted: () => dissents.length > 0 && recent().length > 0,
    /** Epoch milliseconds; null while it is not ejected. */
    untilMs: () => (untilMs !== 0 && now() < untilMs ? untilMs : null),
  }
}

/** Where it does not say how long. */
const defaultBackoffMs = 1000
/** A longer rest is that of a quota. */
const rateMsMax = 60_000
const quotaMsMax = 86_400_000

/**
 * When a node that limits us is asked again. A rest for a rate lasts as long as the node says. One for a quota may last to the end of
 * a day or longer, and what it was told may be wrong: the first head poll that it answers ends it.
 */
export function createRateLimited(now: () => number) {
  let untilMs = 0
  let isQuota = false

  return {
    /** It limits us; `backoffMs`: for as long as it said, milliseconds. */
    limited(backoffMs = defaultBackoffMs): void {
      if (now() >= untilMs) isQuota = false
      isQuota ||= backoffMs > rateMsMax
      // Replies that were on their way together may name different times.
      untilMs = Math.max(untilMs, now() + Math.min(backoffMs, quotaMsMax))
    },
    /** Its head was seen. True where that ended a rest. */
    seen(): boolean {
      const isOver = isQuota && now() < untilMs
      if (isOver) untilMs = 0
      return isOver
    },
    /** When the rest is over, epoch milliseconds; null while there is none. */
    untilMs: () => (untilMs !== 0 && now() < untilMs ? untilMs : null),
  }
}

/** Of one method, at different calls. */
const limits: BreakerLimits = { faultsMax: 2, backoffMs: 5_000, backoffMsMax: 60_000 }

/**
 * Methods at whose calls a node failed lately while others answered them. Anybody can make such calls, so this decides its place
 * in the order for that method and nothing else: it is no fault, and no node is ever excluded for it.
 */
function createDeprioritized(now: () => number) {
  const breakers = new Map<string, Breaker>()
  const limitedUntilMs = new Map<string, number>()
  const breakerOf = (method: string) => at(breakers.get(method) ?? closed, now())

  return {
    failed(method: string): void {
      breakers.set(method, failed(breakerOf(method), now(), limits))
    },
    answered(method: string): void {
      const breaker = breakers.has(method) ? succeeded(breakerOf(method), now(), limits) : closed
      if (breaker === closed) breakers.delete(method)
      else breakers.set(method, breaker)
    },
    /** It limits our rate there, for so long. */
    limited(method: string, retryAfterMs = 1000): void {
      limitedUntilMs.set(method, now() + Math.min(retryAfterMs, limits.backoffMsMax))
    },
    has(method: string): boolean {
      if (breakers.size === 0 && limitedUntilMs.size === 0) return false
      return breakerOf(method).state === 'open' || now() < (limitedUntilMs.get(method) ?? 0)
    },
  }
}

const rememberedMs = 600_000

/** What a node said that it does not have: methods, and state that it has pruned. Each is remembered for a while. */
function createUnsupported(now: () => number) {
  const methods = new Map<string, number>()
  /** The highest block at which a method found nothing any more. */
  const floors = new Map<string, { readonly block: number; readonly untilMs: number }>()
  /** The highest block that it has pruned for this method; null where it has said of none. */
  const floorOf = (method: string): number | null => {
    const floor = floors.get(method)
    return floor !== undefined && now() < floor.untilMs ? floor.block : null
  }

  return {
    /** It does not serve this method. */
    method(method: string): void {
      methods.set(method, now() + rememberedMs)
    },
    /** It has pruned what this method reads at this block, and at those before it. */
    pruned(method: string, block: number): void {
      const highest = Math.max(floorOf(method) ?? block, block)
      floors.set(method, { block: highest, untilMs: now() + rememberedMs })
    },
    prunedUpTo: floorOf,
    /** False for a method that it said it lacks, and for a block whose state it said it has pruned. */
    serves(method: string, block: number | null): boolean {
      const floor = block === null ? null : floorOf(method)
      if (floor !== null && block !== null && block <= floor) return false
      const untilMs = methods.get(method)
      return untilMs === undefined || now() >= untilMs
    },
  }
}

/** Whether a node is worth asking. `half-open`: its rest is over, and the next head poll decides. */
export type Breaker =
  /** `attempt`: how often it has been open lately. `sinceMs`: its last fault, or when it was tried last. */
  | { readonly state: 'closed'; readonly faults: number; readonly attempt: number; readonly sinceMs: number }
  | { readonly state: 'open'; readonly untilMs: number; readonly attempt: number }
  | { readonly state: 'half-open'; readonly attempt: number }

/** Faults in a row that open it; then the first rest, and the longest: each is twice the one before. */
const nodeLimits = { faultsMax: 3, backoffMs: 1000, backoffMsMax: 60_000 }
type BreakerLimits = typeof nodeLimits

export const closed: Breaker = { state: 'closed', faults: 0, attempt: 0, sinceMs: 0 }

/**
 * The breaker after a reply that was no fault. After reopening, one fault opens it again for twice as long; the first good reply resets its
 * faults, the second its backoff.
 */
export function succeeded(breaker: Breaker, nowMs: number, { faultsMax } = nodeLimits): Breaker {
  if (breaker.state !== 'closed')
    return { state: 'closed', faults: faultsMax - 1, attempt: breaker.attempt, sinceMs: nowMs }
  return breaker.faults === 0 ? closed : { ...breaker, faults: 0 }
}

/**
 * The breaker after a good head poll of the node: it ends a try, but no rest. It says nothing of how calls fare, and resets the faults
 * where the last one was that of a head poll.
 */
export function headSeen(breaker: Breaker, nowMs: number, lastFaultOf: Kind): Breaker {
  const isOver = breaker.state === 'half-open' || (breaker.state === 'closed' && lastFaultOf === 'head-poll')
  return isOver ? succeeded(breaker, nowMs) : breaker
}

/** The breaker after a fault. */
export function failed(breaker: Breaker, nowMs: number, limits = nodeLimits): Breaker {
  const { faultsMax, backoffMs, backoffMsMax } = limits
  if (breaker.state === 'closed' && breaker.faults + 1 < faultsMax)
    return { ...breaker, faults: breaker.faults + 1, sinceMs: nowMs }
  // A fault that comes late, from a request before the rest began, tells nothing new.
  if (breaker.state === 'open') return breaker
  const attempt = breaker.attempt + 1
  return { state: 'open', untilMs: nowMs + Math.min(backoffMs * 2 ** (attempt - 1), backoffMsMax), attempt }
}

/** After so long without a fault there are none in a row, and the next rest is the first. */
const quietMs = 600_000

/** The breaker as time passes: a rest that is over becomes a try, and what is long past is forgotten. */
export function at(breaker: Breaker, nowMs: number): Breaker {
  if (breaker.state === 'open' && nowMs >= breaker.untilMs)
    return { state: 'half-open', attempt: breaker.attempt }
  return breaker.state === 'closed' && nowMs - breaker.sinceMs >= quietMs ? closed : breaker
}
