import type { Signal } from '../abort.ts'
import type { Clock } from '../clock.ts'
import { type AskRecord, type Evidence, pendingAsk } from '../events.ts'
import type { MemberIndex } from '../indexes.ts'
import { type Electorate, withinOperators } from '../quorum/electorate.ts'
import type { OperatorSet } from '../quorum/operator-set.ts'
import { type Ask, Race } from '../race/race.ts'
import type { Reply } from '../wire/types.ts'
import { accountOf, type SendOutcome } from './account.ts'
import { decide, failure, needsSearch, type Search, type TransactionSituation } from './decision.ts'
import { judged, note } from './replies.ts'
import {
  asFound,
  countVotes,
  isRejected,
  type TransactionCount,
  type TransactionVote,
  type Writer,
} from './votes.ts'

export interface Broadcast {
  readonly id: string
  readonly chainId: number
  /** The transaction's hash as we made it, lower-case. */
  readonly hash: string
  /** All of them are sent to, at once. */
  readonly writers: readonly Writer[]
  /** Operators that take transactions by the configuration, cordoned ones included. */
  readonly takers: OperatorSet
  readonly electorate: Electorate
  readonly deadlineMs: number
}

export interface BroadcastPorts {
  readonly clock: Clock
  /** Sends the transaction's bytes to one node. `signal` fires at the deadline, never for the caller's sake. */
  /** `answer` is the id of what this becomes. */
  readonly sendTo: (writer: MemberIndex, signal: Signal, answer: string) => Promise<Reply>
  /** Whether a quorum finds this transaction on the chain or in its pools. */
  readonly known: (hash: string) => Promise<boolean>
  readonly onStall?: (writer: MemberIndex) => void
  /** A node has replied; a hash of another transaction arrives here as the fault that it is. */
  readonly onEnd?: (writer: MemberIndex, reply: Reply, durationMs: number) => void
}

export interface Sent {
  readonly outcome: SendOutcome
  /** As it stood when the caller was answered. */
  readonly evidence: Evidence
  /** One node accepted what a quorum refuses: its hash may be all that there will ever be of it. */
  readonly isDisputed: boolean
}

export interface Broadcasting {
  /**
   * The caller's answer: at the first acceptance; else, when all have replied or stalled, at a quorum of refusals, or when
   * neither can come any more.
   */
  readonly sent: Promise<Sent>
  /** The last account, when every node has replied or the deadline has passed. */
  readonly ended: Promise<Sent>
  /** Gives up what is in flight. */
  readonly close: () => void
}

/**
 * Sends one transaction to every node that takes them, once, and goes on listening after its caller has been answered.
 * Both promises are kept by the deadline and neither rejects; no timer is left behind.
 */
export function broadcast(question: Broadcast, ports: BroadcastPorts): Broadcasting {
  return new Sending(question, ports).begin()
}

class Sending {
  readonly #question: Broadcast
  readonly #ports: BroadcastPorts
  /** What a rejection takes. One operator whose node is cordoned still counts: cordoning must not make a quorum cheaper. */
  readonly #electorate: Electorate
  readonly #startMs: number
  readonly #race: Race<Reply, AskRecord>
  readonly #votes: TransactionVote[] = []
  #search: Search = 'not-started'
  #answer: SendOutcome | null = null
  #isOver = false
  #tellCaller: (sent: Sent) => void = () => {}
  #tellAll: (last: Sent) => void = () => {}

  constructor(question: Broadcast, ports: BroadcastPorts) {
    this.#question = question
    this.#ports = ports
    this.#electorate = withinOperators(question.electorate, question.takers)
    this.#startMs = ports.clock.now()
    this.#race = new Race(ports.clock, {
      send: (writer, signal, onSent) => this.#send(writer, signal, onSent),
      onReply: (asked, reply) => this.#replied(asked, reply),
      onStall: ({ member }) => {
        ports.onStall?.(member)
        this.#step()
      },
      onHeld: () => {},
    })
  }

  begin(): Broadcasting {
    const sent = new Promise<Sent>((resolve) => {
      this.#tellCaller = resolve
    })
    const ended = new Promise<Sent>((resolve) => {
      this.#tellAll = resolve
    })
    const { writers, electorate } = this.#question
    for (const [index, { name, operator, weight, stallMs }] of writers.entries()) {
      const record = { node: name, operator: electorate.operators[operator] ?? name, weight }
      this.#race.start(index as MemberIndex, pendingAsk(record, this.#startMs), stallMs)
    }
    this.#race.after(this.#question.deadlineMs, () => this.#end('timeout'))
    this.#step()
    return { sent, ended, close: () => this.#end('cancelled') }
  }

  async #send(writer: MemberIndex, signal: Signal, onSent: () => void): Promise<Reply> {
    const { id, hash } = this.#question
    // Its stall counts from the start: the caller waits for each of them alike.
    onSent()
    try {
      return judged(await this.#ports.sendTo(writer, signal, id), hash)
    } catch {
      return { kind: 'fault', fault: 'error' }
    }
  }

  #replied(asked: Ask<AskRecord>, reply: Reply): void {
    this.#race.close(asked)
    const { member } = asked
    if (reply.kind === 'answer' || reply.kind === 'known') this.#votes.push({ member, rejection: null })
    if (reply.kind === 'refusal') this.#votes.push({ member, rejection: reply.class })
    this.#ended(asked, reply)
    this.#step()
  }

  #ended({ member, record }: Ask<AskRecord>, reply: Reply): void {
    note(record, reply)
    this.#ports.onEnd?.(member, reply, this.#ports.clock.now() - this.#startMs)
  }

  /** The only place where anything is decided: after the start, and after every reply, stall and finding. */
  #step(): void {
    if (this.#isOver) return
    if (this.#answer === null) {
      if (needsSearch(this.#look())) this.#find()
      this.#answer = decide(this.#look())
      if (this.#answer !== null) this.#tellCaller(this.#account(this.#answer))
    }
    if (this.#race.asks.every(({ state }) => state === 'ended') && this.#search !== 'running') this.#finish()
  }

  /** All that the answer may rest on, now. */
  #look(): TransactionSituation {
    const { hash, writers } = this.#question
    const { asks } = this.#race
    const { groups, voted } = this.#count()
    return {
      hash,
      groups,
      electorate: this.#electorate,
      voted,
      search: this.#search,
      isAwaited: asks.some(({ state }) => state === 'awaited'),
      isOutstanding: asks.some(({ state, member }) => state !== 'ended' && writers[member]?.open !== true),
    }
  }

  #find(): void {
    this.#search = 'running'
    const found = (isFound: boolean) => {
      this.#search = isFound ? 'found' : 'not-found'
      this.#step()
    }
    this.#ports.known(this.#question.hash).then(found, () => found(false))
  }

  /** All have replied. A quorum that says the nonce is used may have seen it used by this very transaction. */
  #finish(): void {
    const isUsed = this.#votes.some(({ rejection }) => rejection === 'nonce-too-low')
    if (this.#search === 'not-started' && isUsed && isRejected(this.#count(), this.#electorate)) this.#find()
    else this.#end('cancelled')
  }

  #end(why: 'timeout' | 'cancelled'): void {
    if (this.#isOver) return
    this.#isOver = true
    for (const asked of this.#race.end()) this.#ended(asked, { kind: 'fault', fault: why })
    this.#answer ??= failure(this.#look())
    const last = this.#account(this.#answer)
    this.#tellCaller(last)
    this.#tellAll(last)
  }

  #count(): TransactionCount {
    const votes = this.#search === 'found' ? this.#votes.map(asFound) : this.#votes
    return countVotes(votes, this.#question.writers, this.#electorate)
  }

  #account(outcome: SendOutcome): Sent {
    const count = this.#count()
    const isDisputed = outcome.kind === 'accepted' && isRejected(count, this.#electorate)
    const evidence = accountOf(this.#question, {
      startMs: this.#startMs,
      endMs: this.#ports.clock.now(),
      outcome,
      groups: count.groups,
      asks: this.#race.asks.map(({ record }) => record),
      electorate: this.#electorate,
      isDisputed,
      isFound: this.#search === 'found',
    })
    return { outcome, evidence, isDisputed }
  }
}
