import type { NodeState } from '../events/events.ts'
import type { Clock } from '../runtime/clock.ts'
import { type FaultKind, isOwnFault } from '../wire/fault.ts'
import type { Reply } from '../wire/types.ts'
import { at, type Breaker, closed, failed, headSeen, succeeded } from './breaker.ts'
import { createDeprioritized, createUnsupported, type Deprioritized } from './deprioritized.ts'
import { createEjection } from './ejection.ts'
import type { WrongChain } from './identity.ts'
import type { Cordon, NodeStatus } from './node-types.ts'
import { createRateLimited } from './rate-limited.ts'

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
  readonly deprioritized: Deprioritized
  readonly unsupported
  #breaker: Breaker = closed
  /** How fast it replies, milliseconds; null before the first reply. */
  #meanMs: number | null = null
  #isPollWanted = false
  #cordoned: Cordon | null = null
  #isBehind = false
  #reported: NodeState = 'usable'
  #lastFault: FaultKind = 'connection'
  /** The batch of the last fault. */
  #lastPost: number | undefined

  constructor(ports: HealthPorts) {
    const now = () => ports.clock.now()
    this.#ports = ports
    this.#ejection = createEjection(now)
    this.#rateLimited = createRateLimited(now)
    this.deprioritized = createDeprioritized(now)
    this.unsupported = createUnsupported(now)
  }

  record(method: string, reply: Reply, ms: number, kind: Kind): void {
    if (kind === 'head-poll') this.#isPollWanted = false
    if (reply.kind === 'fault') this.#failed(method, reply, kind)
    else this.#replied(method, reply, ms, kind)
  }

  #replied(method: string, reply: Exclude<Reply, Fault>, ms: number, kind: Kind): void {
    // "Block not found" replies don't count towards latency.
    if (reply.kind !== 'behind' && kind !== 'caller-controlled') this.#meanMs = meanAfter(this.#meanMs, ms)
    if (kind === 'caller-controlled' && reply.kind !== 'unsupported') this.deprioritized.answered(method)
    if (this.#breaker !== closed) {
      const nowMs = this.#ports.clock.now()
      const current = at(this.#breaker, nowMs)
      this.#breaker = kind === 'head-poll' ? headSeen(current, nowMs) : succeeded(current, nowMs)
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
    const nowMs = this.#ports.clock.now()
    this.#breaker = failed(at(this.#breaker, nowMs), nowMs)
    this.emitState(`it failed: ${fault}`)
  }

  /** It said so to another engine. */
  limitedElsewhere(ms: number | null): void {
    this.#rateLimited.limited(ms ?? undefined)
    this.emitState('limits the rate of another process')
  }

  recordDissent(by: readonly string[]): void {
    if (this.#ejection.recordDissent(by)) this.emitState('it voted against the majority')
  }

  withdraw(operator: string): void {
    if (this.#ejection.withdraw(operator)) this.emitState('those who outvoted it are not believed')
  }

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

  cordon(cordon: Cordon | null, by = cordon?.by): void {
    this.#cordoned = cordon
    this.emitState(`${by ?? 'an operator'} ${cordon ? 'cordoned it' : 'uncordoned it'}`)
  }

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
