import type { NodeConfig } from '../config/config-types.ts'
import type { NodeState } from '../events/events.ts'
import type { UnitCount } from '../events/plan-types.ts'
import type { NodePeers, Send } from '../events/ports.ts'
import type { Signal } from '../runtime/abort.ts'
import { type Clock, deadline } from '../runtime/clock.ts'
import type { Reply } from '../wire/types.ts'
import { type Budget, createBudget, createPlan, type Lane, type NodePlan } from './budget.ts'
import { Health, type WrongChain } from './health.ts'
import { createCapabilities, type ReadCapabilities } from './node-capabilities.ts'
import { type CallSignal, chainIdCall, type NodeCall, PostCalls, type SendCall } from './post-calls.ts'
import { LogRanges } from './ranges.ts'

interface NodePorts {
  readonly clock: Clock
  readonly send: Send
  readonly nodePeers?: NodePeers | undefined
  /** What it has cost. */
  readonly unitCount: UnitCount
  /** Whether it shows another block at a checkpoint, which it is asked for; null where there is none. */
  readonly contradictsCheckpoint: (request: (call: NodeCall) => Promise<Reply>) => Promise<boolean> | null
  readonly onState: (from: NodeState, to: NodeState, why: string) => void
}

interface NodeLimits {
  readonly chainId: number
  /** Of a call of this chain, milliseconds. */
  readonly deadlineMs: number
  /** Cap on one reply's body, bytes, decompressed. */
  readonly answerBytesMax: number
}

/** A call that is sent to a node: its signal, and who hears of it. */
interface NodeRequest extends CallSignal {
  /** It has left our queue. */
  readonly onSent: () => void
  readonly onReply: (reply: Reply) => void
}

/** One node: sends it calls, and keeps its health, its budget and what was learned of it. */
export class Node {
  readonly options: NodeConfig
  readonly budget: Budget
  readonly plan: NodePlan
  readonly #postCalls: PostCalls
  readonly #sendRange: SendCall
  readonly health: Health
  readonly identity: ReturnType<typeof createIdentity>
  readonly #clock: Clock
  /** What it can serve, by its own word and by its refusals. It is asked once in ten minutes at most. */
  readonly capabilities: ReadCapabilities
  #head: number | null = null
  #sawHeadMs = Number.NEGATIVE_INFINITY
  #lag: number | null = null

  constructor(
    options: NodeConfig,
    { chainId, deadlineMs, answerBytesMax }: NodeLimits,
    { clock, send, nodePeers, unitCount, contradictsCheckpoint, onState }: NodePorts,
  ) {
    const key = `${chainId} ${options.name}`
    const isLimited = options.perSecond !== null || options.perDay !== null
    const onMore = (method: string) => {
      this.budget.spend()
      this.plan.spend(method)
    }
    this.options = options
    this.#clock = clock
    this.budget = createBudget(options, clock, (requests) => {
      if (isLimited) nodePeers?.spent(key, requests)
    })
    this.plan = createPlan(options, clock, unitCount)
    this.#postCalls = new PostCalls({ ...options, answerBytesMax }, { clock, send, onMore })
    this.#sendRange = new LogRanges(this.#postCalls.send, { now: () => clock.now(), onMore }).send
    this.identity = createIdentity(
      { chainId, deadlineMs },
      {
        clock,
        request: (call, signal) => {
          onMore(call.method)
          return this.#postCalls.send(call, signal)
        },
        contradictsCheckpoint,
        onFault: (fault) => this.health.record(chainIdCall.method, fault, 0, 'call'),
        onChange: (why) => this.health.emitState(why),
      },
    )
    this.health = new Health({
      clock,
      wrongChain: this.identity.wrongChain,
      hasBudget: this.budget.has,
      onState,
      onLimited: (ms) => nodePeers?.limited(key, ms),
    })
    this.capabilities = createCapabilities({
      clock,
      request: (call, signal) => this.reply(call, signal),
      unsupported: this.health.unsupported,
    })
    nodePeers?.listen(key, {
      spent: this.budget.spentElsewhere,
      limited: (ms) => this.health.limitedElsewhere(ms),
    })
  }

  /**
   * One round trip: `onReply` is called once, and not before this returns. A node that has not said which chain it serves is asked
   * that first.
   */
  send(call: NodeCall, request: NodeRequest): void {
    const lane = call.lane === 'head-poll' ? 'head-poll' : 'call'
    const slot = this.budget.enter(request, lane, call.callers)
    if (slot === true) this.#sendFrom(lane, call, request)
    else
      void Promise.resolve(slot).then((isGranted) => {
        if (isGranted) this.#sendFrom(lane, call, request)
        else request.onReply({ kind: 'fault', fault: request.aborted ? 'cancelled' : 'busy' })
      })
  }

  /** As `send`, for those who need not know when it has left our queue. */
  reply(call: NodeCall, signal: Signal): Promise<Reply> {
    return new Promise((onReply) =>
      this.send(call, {
        get aborted() {
          return signal.aborted
        },
        addEventListener: (...args) => signal.addEventListener(...args),
        removeEventListener: (...args) => signal.removeEventListener(...args),
        onSent() {},
        onReply,
      }),
    )
  }

  /** Has a slot of this lane, and gives it back with the reply. */
  #sendFrom(lane: Lane, call: NodeCall, request: NodeRequest): void {
    const onReply = (reply: Reply) => {
      this.budget.leave(lane)
      request.onReply(reply)
    }
    request.onSent()
    const confirmed = this.identity.confirm()
    if (confirmed === null) this.#post(call, request, onReply)
    else
      void unlessGivenUp(confirmed, request).then((stranger) => {
        if (stranger === null) this.#post(call, request, onReply)
        else onReply(stranger)
      })
  }

  #post(call: NodeCall, signal: CallSignal, onReply: (reply: Reply) => void): void {
    this.plan.spend(call.method)
    if (call.context.ranges)
      void this.#sendRange(call, signal).then(onReply, () => onReply({ kind: 'fault', fault: 'error' }))
    else this.#postCalls.post({ call, signal, onReply })
  }

  /** A witness whose day is half spent: it is left to protected calls. */
  isReserved(): boolean {
    return this.options.role === 'witness' && this.budget.isReserved()
  }

  /** The block that it last showed, or is taken to have by now. */
  head(): number | null {
    return this.#head
  }

  sawHead(number: number): void {
    this.#head = number
    this.#sawHeadMs = this.#clock.now()
    this.health.emitState('time passed')
  }

  /** The latest block that it has shown since then; null where it has shown none. */
  headSince(ms: number): number | null {
    return this.#sawHeadMs >= ms ? this.#head : null
  }

  /** The agreed head after a poll that it took part in: how far behind is it? */
  compareHead(agreed: number): void {
    this.#lag = this.#head === null ? null : Math.max(0, agreed - this.#head)
  }

  /** The agreed head after a poll without it: its lag counts as unchanged, or it would come last for ever. */
  assumeHead(agreed: number): void {
    // One block may be the moment at which it was polled, and no lag.
    if (this.#lag !== null && this.#head !== null)
      this.#head = Math.max(this.#head, this.#lag <= 1 ? agreed : agreed - this.#lag)
  }

  /** Blocks that it was behind when last polled; null before. */
  lag(): number | null {
    return this.#lag
  }
}

/** A call that is given up does not keep its place while the node has not said which chain it serves. */
function unlessGivenUp(confirmed: Promise<Reply | null>, signal: Signal): Promise<Reply | null> {
  return new Promise((resolve) => {
    const leave = () => resolve({ kind: 'fault', fault: 'cancelled' })
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
    void confirmed.then(resolve)
  })
}

/** How long its chain id is believed; how long it may take at least to send it; how long it counts as serving another chain. */
const identityMaxAgeMs = 3_600_000
const identifyMsMin = 5_000
/** Whoever asks a node after so long without its chain id has it asked for it again. */
const checkAgainMs = 1_000
const wrongChainMs = 60_000

interface IdentityPorts extends Pick<NodePorts, 'clock' | 'contradictsCheckpoint'> {
  readonly request: SendCall
  readonly onFault: (fault: Reply) => void
  readonly onChange: (why: string) => void
}

/** Which chain a node serves, as it says itself. */
function createIdentity(
  { chainId, deadlineMs }: Pick<NodeLimits, 'chainId' | 'deadlineMs'>,
  { clock, request, contradictsCheckpoint, onFault, onChange }: IdentityPorts,
) {
  let identity:
    | { state: 'unknown' }
    | { state: 'right'; untilMs: number }
    | ({ state: 'wrong' } & WrongChain) = {
    state: 'unknown',
  }
  const checks = { underWay: 0, lastMs: 0, repliedMs: Number.NEGATIVE_INFINITY }
  let waiting: ((fault: Reply | null) => void)[] = []
  let tellContradiction = () => {}

  /** A check may hang in an outage, and who asks after it does not wait for that one. */
  function identify(): Promise<Reply | null> {
    const nowMs = clock.now()
    if (checks.underWay === 0 || nowMs - checks.lastMs >= checkAgainMs) {
      checks.underWay++
      checks.lastMs = nowMs
      void checkChain().then((fault) => {
        checks.underWay--
        if (identity.state === 'unknown' && checks.underWay > 0) return
        for (const tell of waiting) tell(fault)
        waiting = []
      })
    }
    return new Promise((resolve) => waiting.push(resolve))
  }

  async function checkChain(): Promise<Reply | null> {
    const sentMs = clock.now()
    // A call may wait for a node that is slow to say its chain.
    const { signal, cancel } = deadline(clock, Math.max(identifyMsMin, deadlineMs))
    const contradiction = contradictsCheckpoint((call) => request(call, signal))
    const reply = await request(chainIdCall, signal)
    const isElsewhere = contradiction !== null && (await contradiction)
    cancel()
    const served = reply.kind === 'result' ? quantityOf(reply.raw) : null
    if (served === null) {
      // It has not said which chain it serves, which is not to say another. All calls that waited for it share the fault.
      const fault: Reply = {
        ...(reply.kind === 'fault'
          ? reply
          : { kind: 'fault', fault: reply.kind === 'result' ? 'malformed' : 'error' }),
        post: {},
      }
      // It has replied to a later one.
      if (checks.repliedMs < sentMs) onFault(fault)
      return identity.state === 'right' ? null : fault
    }
    checks.repliedMs = clock.now()
    const right = served === chainId
    const wasUsed = identity.state === 'right'
    const why = right ? 'shows another block at the checkpoint' : 'serves another chain'
    identity =
      right && !isElsewhere
        ? { state: 'right', untilMs: clock.now() + identityMaxAgeMs }
        : { state: 'wrong', untilMs: clock.now() + wrongChainMs, why }
    onChange(identity.state === 'right' ? 'it serves the right chain' : `it ${why}`)
    if (isElsewhere && wasUsed) tellContradiction()
    return identity.state === 'right' ? null : { kind: 'fault', fault: 'wrong-chain' }
  }

  return {
    /** Null while the node is known to serve our chain; else what is asked of it first, and the fault to report, if any. */
    confirm(): null | Promise<Reply | null> {
      const now = clock.now()
      if (identity.state === 'right') {
        if (now >= identity.untilMs) void identify()
        return null
      }
      if (identity.state === 'wrong' && now < identity.untilMs)
        return Promise.resolve({ kind: 'fault', fault: 'wrong-chain' })
      return identify()
    },
    /** Until when it is taken to serve another chain, epoch milliseconds, and why; null while it is not. */
    wrongChain: (): WrongChain | null => (identity.state === 'wrong' ? identity : null),
    /** `tell` is called when it shows another block at a checkpoint after it was used before. */
    onContradiction(tell: () => void): void {
      tellContradiction = tell
    },
    /** It turned out to be of another chain by other means than its chain id. */
    markWrongChain(): void {
      identity = { state: 'wrong', untilMs: clock.now() + identityMaxAgeMs, why: 'serves another chain' }
      onChange('its genesis is that of another chain')
    },
    /** That has turned out to be unfounded. */
    clearWrongChain(): void {
      identity = { state: 'unknown' }
      onChange('its genesis is looked at again')
    },
    /** It is asked again when it is next used: there is more to know it by. */
    recheck(): void {
      if (identity.state === 'right') identity = { state: 'right', untilMs: clock.now() }
    },
  }
}

/** Null for what is no quantity, or one that no chain id is as large as. */
function quantityOf(raw: string): number | null {
  return /^"0x0*[0-9a-f]{1,13}"$/i.test(raw) ? Number(raw.slice(1, -1)) : null
}
