import type { Signal } from '../abort.ts'
import type { Clock } from '../clock.ts'
import type { NodeState } from '../events.ts'
import type { Send } from '../ports.ts'
import type { Reply } from '../wire/types.ts'
import { type Budget, createBudget } from './budget.ts'
import { ofOurOwn } from './errors/rule.ts'
import { createExchange, type Exchange, type NodeCall } from './exchange.ts'
import { Health } from './health.ts'
import { createIdentity, type Identity } from './identity.ts'
import type { Cordon, Node, NodeOptions, NodeStatus } from './node-types.ts'
import { createRanges } from './ranges.ts'

interface NodePorts {
  readonly clock: Clock
  readonly send: Send
  readonly onState: (from: NodeState, to: NodeState, why: string) => void
}

interface NodeLimits {
  readonly chainId: number
  /** Cap on one reply's body, bytes, decompressed. */
  readonly answerBytesMax: number
}

/** One round trip at a time of one place in its budget, its health, and its head as we know it. */
export class UpstreamNode implements Node {
  readonly options: NodeOptions
  readonly #budget: Budget
  readonly #exchange: Exchange
  readonly #health: Health
  readonly #identity: Identity
  #head: number | null = null
  #lag: number | null = null

  constructor(
    options: NodeOptions,
    { chainId, answerBytesMax }: NodeLimits,
    { clock, send, onState }: NodePorts,
  ) {
    const budget = createBudget(options, clock)
    const onMore = budget.spend
    const exchange = createExchange({ ...options, answerBytesMax }, { clock, send, onMore })
    this.options = options
    this.#budget = budget
    this.#exchange = createRanges(exchange, { now: () => clock.now(), onMore })
    this.#identity = createIdentity(
      { chainId },
      {
        clock,
        askChainId(signal) {
          budget.spend()
          return exchange({ method: 'eth_chainId', params: '[]', context: ofOurOwn, lane: 'look' }, signal)
        },
        onFault: (fault) => this.record('eth_chainId', fault, 0),
        onChange: (why) => this.#health.tell(why),
      },
    )
    this.#health = new Health({
      clock,
      foreignUntilMs: this.#identity.foreignUntilMs,
      hasBudget: budget.has,
      onState,
    })
  }

  async ask(call: NodeCall, signal: Signal, onSent?: () => void): Promise<Reply> {
    const lane = call.lane === 'look' ? 'look' : 'call'
    const place = this.#budget.enter(signal, lane, call.callers)
    if (!(place === true || (await place)))
      return { kind: 'fault', fault: signal.aborted ? 'cancelled' : 'busy' }
    try {
      onSent?.()
      const confirmed = this.#identity.confirm()
      const stranger = confirmed === null ? null : await confirmed
      return stranger ?? (await this.#exchange(call, signal))
    } finally {
      this.#budget.leave(lane)
    }
  }

  record(method: string, reply: Reply, ms: number, kind: 'call' | 'chosen' | 'look' = 'call'): void {
    this.#health.record(method, reply, ms, kind)
  }

  avoid(method: string): void {
    this.#health.avoided.failed(method)
  }

  isAvoided(method: string): boolean {
    return this.#health.avoided.has(method)
  }

  dissented(): void {
    this.#health.dissented()
  }

  foreign(): void {
    this.#identity.foreign()
  }

  status(): NodeStatus {
    return this.#health.status()
  }

  serves(method: string, block: number | null): boolean {
    return this.#health.lacks.serves(method, block)
  }

  pruned(method: string, block: number): void {
    this.#health.lacks.pruned(method, block)
  }

  isDue(): boolean {
    return this.#health.isDue()
  }

  cordon(cordon: Cordon | null, by?: string | null): void {
    this.#health.cordon(cordon, by)
  }

  cordoned(): Cordon | null {
    return this.#health.cordoned()
  }

  score(): number {
    return this.#health.score()
  }

  inFlight(): number {
    return this.#budget.inFlight()
  }

  leftToday(): number | null {
    return this.#budget.leftToday()
  }

  backlog(): number {
    return this.#budget.backlog()
  }

  head(): number | null {
    return this.#head
  }

  sawHead(number: number): void {
    this.#head = number
    this.#health.tell('time passed')
  }

  compareHead(agreed: number): void {
    this.#lag = this.#head === null ? null : Math.max(0, agreed - this.#head)
  }

  assumeHead(agreed: number): void {
    // One block may be the moment at which it was looked at, and no lag.
    if (this.#lag !== null && this.#head !== null)
      this.#head = Math.max(this.#head, this.#lag <= 1 ? agreed : agreed - this.#lag)
  }

  lag(): number | null {
    return this.#lag
  }
}
