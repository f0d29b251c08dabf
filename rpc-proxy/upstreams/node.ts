import type { Signal } from '../abort.ts'
import type { Clock } from '../clock.ts'
import type { NodeState } from '../events.ts'
import type { Send } from '../ports.ts'
import type { Reply } from '../wire/types.ts'
import { createAvoided } from './avoided.ts'
import { createBench } from './benching.ts'
import { at, type Breaker, closed, failed, shown, succeeded } from './breaker.ts'
import { createBudget } from './budget.ts'
import { ofOurOwn } from './errors/rule.ts'
import { createExchange, type NodeCall } from './exchange.ts'
import { createIdentity } from './identity.ts'
import { createLacks } from './lacks.ts'
import { createLatency, scoreOf } from './latency.ts'
import type { Cordon, Node, NodeOptions, NodeStatus } from './node-types.ts'
import { createRanges } from './ranges.ts'
import { createRest } from './rest.ts'

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

export function createNode(options: NodeOptions, limits: NodeLimits, ports: NodePorts): Node {
  const { clock, send } = ports
  const { chainId, answerBytesMax } = limits
  const now = () => clock.now()
  const budget = createBudget(options, clock)
  const exchange = createExchange({ ...options, answerBytesMax }, { clock, send, onMore: budget.spend })
  const inRanges = createRanges(exchange, { now, onMore: budget.spend })
  const latency = createLatency()
  const lacks = createLacks(now)
  const bench = createBench(now)
  const avoided = createAvoided(now)
  const rest = createRest(now)
  const identity = createIdentity(
    { chainId },
    {
      clock,
      askChainId(signal) {
        budget.spend()
        return exchange({ method: 'eth_chainId', params: '[]', context: ofOurOwn, lane: 'look' }, signal)
      },
      onFault: (fault) => record('eth_chainId', fault, 0),
      onChange: tell,
    },
  )
  let breaker: Breaker = closed
  let isLookWanted = false
  let cordoned: Cordon | null = null
  let head: number | null = null
  let lag: number | null = null
  let told: NodeState = 'usable'
  let lastFailed: number | undefined

  async function ask(call: NodeCall, signal: Signal, onSent?: () => void): Promise<Reply> {
    const lane = call.lane === 'look' ? 'look' : 'call'
    const place = budget.enter(signal, { lane, ...(call.callers !== undefined && { callers: call.callers }) })
    if (!(place === true || (await place)))
      return { kind: 'fault', fault: signal.aborted ? 'cancelled' : 'busy' }
    try {
      onSent?.()
      const confirmed = identity.confirm()
      const stranger = confirmed === null ? null : await confirmed
      if (stranger !== null) return stranger
      return await inRanges(call, signal)
    } finally {
      budget.leave(lane)
    }
  }

  function record(method: string, reply: Reply, ms: number, kind: 'call' | 'chosen' | 'look' = 'call'): void {
    if (kind === 'look') isLookWanted = false
    if (reply.kind !== 'fault') {
      // "Block not found" replies don't count towards latency.
      if (reply.kind !== 'behind' && kind !== 'chosen') latency.record(ms)
      if (kind === 'chosen' && reply.kind !== 'cannot') avoided.answered(method)
      if (breaker !== closed) {
        const current = at(breaker, clock.now())
        breaker = kind === 'look' ? shown(current, clock.now()) : succeeded(current, clock.now())
        tell('it answers')
      }
      if (kind === 'look' && reply.kind === 'answer' && rest.seen()) tell('it answers')
      if (reply.kind === 'cannot' && (reply.why === 'method' || reply.why === 'unauthorized'))
        lacks.method(method)
      return
    }
    if (reply.fault === 'cancelled' || reply.fault === 'busy') return
    if (kind === 'chosen') {
      isLookWanted = true
      if (reply.fault === 'rate-limited') avoided.limited(method, reply.retryAfterMs)
      return
    }
    if (reply.fault === 'rate-limited') {
      rest.limited(reply.retryAfterMs)
      tell('it limits our rate')
      return
    }
    // The calls of one batch that failed as a whole have met one fault.
    if (reply.post !== undefined && reply.post === lastFailed) return
    lastFailed = reply.post
    breaker = failed(at(breaker, clock.now()), clock.now())
    tell(`it failed: ${reply.fault}`)
  }

  function status(): NodeStatus {
    const now = clock.now()
    breaker = at(breaker, now)
    if (cordoned !== null)
      return { state: 'cordoned', why: `cordoned by ${cordoned.by ?? 'an operator'}`, untilMs: null }
    const foreignUntilMs = identity.foreignUntilMs()
    if (foreignUntilMs !== null)
      return { state: 'resting', why: 'serves another chain', untilMs: foreignUntilMs }
    const benchUntilMs = bench.untilMs()
    if (benchUntilMs !== null)
      return { state: 'benched', why: 'voted against the majority', untilMs: benchUntilMs }
    const restUntilMs = rest.untilMs()
    if (restUntilMs !== null) return { state: 'resting', why: 'limits our rate', untilMs: restUntilMs }
    if (breaker.state === 'open') return { state: 'open', why: 'failed too often', untilMs: breaker.untilMs }
    if (breaker.state === 'half-open')
      return { state: 'half-open', why: 'failed too often; being tried', untilMs: null }
    if (!budget.has()) return { state: 'resting', why: 'its budget is used up', untilMs: null }
    return { state: 'usable', why: null, untilMs: null }
  }

  /** Says so when the state has changed since it was last told. */
  function tell(why: string): void {
    const { state } = status()
    if (state === told) return
    ports.onState(told, state, why)
    told = state
  }

  return {
    options,
    ask,
    status,
    record,
    avoid: avoided.failed,
    isAvoided: avoided.has,
    dissented() {
      if (bench.dissented()) tell('it voted against the majority')
    },
    foreign: identity.foreign,
    serves: lacks.serves,
    pruned: lacks.pruned,
    isDue: () =>
      cordoned === null &&
      (at(breaker, clock.now()).state === 'half-open' || (isLookWanted && status().state === 'usable')),
    cordon(cordon, by = cordon?.by) {
      cordoned = cordon
      tell(`${by ?? 'an operator'} ${cordon ? 'cordoned it' : 'uncordoned it'}`)
    },
    cordoned: () => cordoned,
    score: () => scoreOf(latency.meanMs()),
    inFlight: budget.inFlight,
    leftToday: budget.leftToday,
    backlog: budget.backlog,
    head: () => head,
    sawHead(number) {
      head = number
      tell('time passed')
    },
    compareHead(agreed) {
      lag = head === null ? null : Math.max(0, agreed - head)
    },
    assumeHead(agreed) {
      // One block may be the moment at which it was looked at, and no lag.
      if (lag !== null && head !== null) head = Math.max(head, lag <= 1 ? agreed : agreed - lag)
    },
    lag: () => lag,
  }
}
