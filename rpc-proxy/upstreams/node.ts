import type { Cancel, Clock } from '../clock.ts'
import type { NodeState } from '../events.ts'
import type { Send } from '../ports.ts'
import type { Reply } from '../wire/types.ts'
import { at, type Breaker, closed, failed, shown, succeeded } from './breaker.ts'
import { createBudget } from './budget.ts'
import { ofOurOwn } from './classify.ts'
import { createExchange, type NodeCall } from './exchange.ts'
import { createLatency, scoreOf } from './latency.ts'
import { createRanges } from './ranges.ts'

/** What this room has to know of a node's configuration. */
export interface NodeOptions {
  readonly name: string
  readonly url: string
  readonly weight: number
  readonly priority: number
  readonly stallMs: number
  readonly community: boolean
  readonly operator: string
  readonly writes: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly batchCallsMax: number
  readonly inFlightMax: number
  readonly perSecond: number | null
  readonly perDay: number | null
}

export interface Standing {
  readonly state: NodeState
  readonly why: string | null
  readonly untilMs: number | null
}

/** One node: sends, knows how well it is, and forgets nothing that it learned. */
export interface Node {
  readonly options: NodeOptions
  /** One round trip; never throws. `onSent`: it is on its way. A node that has not said which chain it serves is asked that first. */
  readonly ask: (call: NodeCall, signal: AbortSignal, onSent?: () => void) => Promise<Reply>
  /**
   * What came of an ask, once it has been judged: an answer that is none, or silence while others answered, is a fault. What
   * HTTP makes of a call whose work its caller has `chosen` is none: a gateway gives up on heavy work for every node.
   */
  readonly note: (method: string, reply: Reply, durationMs: number, kind?: 'call' | 'chosen' | 'look') => void
  /** It voted against a winner of more than half of all weight, on what no caller can forge. */
  readonly dissented: () => void
  /** Its first block is not that of the others: it serves another chain under our id. */
  readonly foreign: () => void
  readonly standing: () => Standing
  /** False for a method that it said it lacks, and for a block whose state it said it has pruned. */
  readonly serves: (method: string, block: number | null) => boolean
  /** It has pruned what this method reads at this block, and at those before it. */
  readonly pruned: (method: string, block: number) => void
  /** Its breaker lets a look at its head decide whether it is back. */
  readonly isDue: () => boolean
  readonly cordon: (cordoned: boolean) => void
  readonly score: () => number
  readonly inFlight: () => number
  /** The block that it last showed, or is taken to have by now. */
  readonly head: () => number | null
  readonly sawHead: (number: number) => void
  /** The agreed head after a look that it took part in: how far behind is it? */
  readonly compareHead: (agreed: number) => void
  /** The agreed head after a look without it: it is taken to keep its distance, or it would be last for ever. */
  readonly assumeHead: (agreed: number) => void
  /** Blocks that it was behind when last looked at; null before. */
  readonly lag: () => number | null
}

interface NodePorts {
  readonly clock: Clock
  readonly send: Send
  readonly onState: (from: NodeState, to: NodeState, why: string) => void
}

interface NodeLimits {
  readonly chainId: number
  /** Cap on one reply's body, bytes, decompressed. */
  readonly answerBytesMax: number
  readonly identityMaxAgeMs?: number
  readonly identifyMs?: number
  readonly restMsMax?: number
  readonly dissentsMax?: number
  readonly dissentWindowMs?: number
  readonly benchMs?: number
  readonly benchMsMax?: number
  readonly cannotMs?: number
}

export function createNode(options: NodeOptions, limits: NodeLimits, ports: NodePorts): Node {
  const { clock, send } = ports
  const {
    chainId,
    answerBytesMax,
    identityMaxAgeMs = 3_600_000,
    identifyMs = 5_000,
    restMsMax = 60_000,
    dissentsMax = 3,
    dissentWindowMs = 60_000,
    benchMs = 60_000,
    benchMsMax = 3_600_000,
    cannotMs = 600_000,
  } = limits
  const exchange = createExchange({ ...options, answerBytesMax }, { clock, send })
  const budget = createBudget(options, clock)
  const inRanges = createRanges(exchange, {
    now: () => clock.now(),
    learnedMs: cannotMs,
    onMore: budget.spend,
  })
  const latency = createLatency()
  const cannot = new Map<string, number>()
  /** The highest block at which a method found nothing any more. */
  const floors = new Map<string, { readonly block: number; readonly untilMs: number }>()
  let breaker: Breaker = closed
  let restUntilMs = 0
  let benchUntilMs = 0
  let benchings = 0
  let dissents: number[] = []
  let cordoned = false
  let head: number | null = null
  let lag: number | null = null
  let identity: { state: 'unknown' } | { state: 'right' | 'wrong'; untilMs: number } = { state: 'unknown' }
  let identifying: Promise<Reply | null> | null = null
  let told: NodeState = 'usable'
  let lastFailed: number | undefined

  async function ask(call: NodeCall, signal: AbortSignal, onSent?: () => void): Promise<Reply> {
    const place = budget.enter(signal)
    if (!(place === true || (await place)))
      return { kind: 'fault', fault: signal.aborted ? 'cancelled' : 'busy' }
    try {
      const stranger = await identified()
      if (stranger !== null) return stranger
      onSent?.()
      return await inRanges(call, signal)
    } finally {
      budget.leave()
    }
  }

  /** Null once the node has said that it serves our chain; else the fault to report. */
  function identified(): null | Promise<Reply | null> {
    const now = clock.now()
    if (identity.state === 'right') {
      if (now >= identity.untilMs) void identify()
      return null
    }
    if (identity.state === 'wrong' && now < identity.untilMs)
      return Promise.resolve({ kind: 'fault', fault: 'wrong-chain' })
    return identify()
  }

  function identify(): Promise<Reply | null> {
    identifying ??= checkChain().finally(() => {
      identifying = null
    })
    return identifying
  }

  async function checkChain(): Promise<Reply | null> {
    const { signal, cancel } = deadline(clock, identifyMs)
    budget.spend()
    const reply = await exchange({ method: 'eth_chainId', params: '[]', context: ofOurOwn }, signal)
    cancel()
    const served = reply.kind === 'answer' ? quantityOf(reply.raw) : null
    if (served === null) {
      // It has not said which chain it serves, which is not to say another.
      const fault: Reply =
        reply.kind === 'fault'
          ? reply
          : { kind: 'fault', fault: reply.kind === 'answer' ? 'malformed' : 'error' }
      note('eth_chainId', fault, 0)
      return identity.state === 'right' ? null : fault
    }
    const right = served === chainId
    identity = {
      state: right ? 'right' : 'wrong',
      untilMs: clock.now() + (right ? identityMaxAgeMs : restMsMax),
    }
    tell(right ? 'it serves the right chain' : 'it serves another chain')
    return right ? null : { kind: 'fault', fault: 'wrong-chain' }
  }

  function note(method: string, reply: Reply, ms: number, kind: 'call' | 'chosen' | 'look' = 'call'): void {
    if (reply.kind !== 'fault') {
      // Who says at once that it has no such block is not quick.
      if (reply.kind !== 'behind') latency.note(ms)
      if (breaker !== closed) {
        breaker = kind === 'look' ? shown(at(breaker, clock.now())) : succeeded(at(breaker, clock.now()))
        tell('it answers')
      }
      if (reply.kind === 'cannot' && (reply.why === 'method' || reply.why === 'unauthorized'))
        cannot.set(method, clock.now() + cannotMs)
      return
    }
    if (reply.fault === 'cancelled' || reply.fault === 'busy') return
    if (reply.fault === 'rate-limited') {
      restUntilMs = clock.now() + Math.min(reply.retryAfterMs ?? 1000, restMsMax)
      tell('it limits our rate')
      return
    }
    if (reply.fault === 'http' && kind === 'chosen') return
    // The calls of one batch that failed as a whole have met one fault.
    if (reply.post !== undefined && reply.post === lastFailed) return
    lastFailed = reply.post
    breaker = failed(at(breaker, clock.now()), clock.now())
    tell(`it failed: ${reply.fault}`)
  }

  function standing(): Standing {
    const now = clock.now()
    breaker = at(breaker, now)
    if (cordoned) return { state: 'cordoned', why: 'taken out by an operator', untilMs: null }
    if (identity.state === 'wrong')
      return { state: 'resting', why: 'serves another chain', untilMs: identity.untilMs }
    if (now < benchUntilMs)
      return { state: 'benched', why: 'voted against the majority', untilMs: benchUntilMs }
    if (now < restUntilMs) return { state: 'resting', why: 'limits our rate', untilMs: restUntilMs }
    if (breaker.state === 'open') return { state: 'open', why: 'failed too often', untilMs: breaker.untilMs }
    if (breaker.state === 'trying')
      return { state: 'trying', why: 'failed too often; being tried', untilMs: null }
    if (!budget.has()) return { state: 'resting', why: 'its budget is used up', untilMs: null }
    return { state: 'usable', why: null, untilMs: null }
  }

  /** Says so when the state has changed since it was last told. */
  function tell(why: string): void {
    const { state } = standing()
    if (state === told) return
    ports.onState(told, state, why)
    told = state
  }

  return {
    options,
    ask,
    standing,
    note,
    dissented() {
      const now = clock.now()
      dissents = [...dissents.filter((ms) => now - ms < dissentWindowMs), now]
      if (dissents.length < dissentsMax || now < benchUntilMs) return
      dissents = []
      benchUntilMs = now + Math.min(benchMs * 2 ** benchings, benchMsMax)
      benchings++
      tell('it voted against the majority')
    },
    foreign() {
      identity = { state: 'wrong', untilMs: clock.now() + identityMaxAgeMs }
      tell('its genesis is that of another chain')
    },
    serves(method, block) {
      const floor = floors.get(method)
      if (floor !== undefined && block !== null && block <= floor.block && clock.now() < floor.untilMs)
        return false
      const untilMs = cannot.get(method)
      return untilMs === undefined || clock.now() >= untilMs
    },
    pruned(method, block) {
      const last = floors.get(method)
      const highest = last !== undefined && clock.now() < last.untilMs ? Math.max(last.block, block) : block
      floors.set(method, { block: highest, untilMs: clock.now() + cannotMs })
    },
    isDue: () => !cordoned && at(breaker, clock.now()).state === 'trying',
    cordon(value) {
      cordoned = value
      tell(value ? 'an operator took it out' : 'an operator put it back')
    },
    score: () => scoreOf(latency.meanMs()),
    inFlight: budget.inFlight,
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

/** A signal that fires after `ms` unless cancelled. */
function deadline(clock: Clock, ms: number): { signal: AbortSignal; cancel: Cancel } {
  const controller = new AbortController()
  const cancel = clock.after(ms, () => controller.abort())
  return { signal: controller.signal, cancel }
}

/** Null for what is no quantity, or one that no chain id is as large as. */
function quantityOf(raw: string): number | null {
  return /^"0x0*[0-9a-f]{1,13}"$/i.test(raw) ? Number(raw.slice(1, -1)) : null
}
