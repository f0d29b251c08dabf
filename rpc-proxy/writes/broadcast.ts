import type { Signal } from '../abort.ts'
import type { Clock } from '../clock.ts'
import { type AskRecord, type Evidence, pendingAsk } from '../events.ts'
import { type Ask, Race } from '../race/race.ts'
import type { Reply } from '../wire/types.ts'
import { accountOf, type SendOutcome } from './account.ts'
import {
  asFound,
  campsOf,
  type Needs,
  refusalNeeds,
  refusersOf,
  type SendBallot,
  type SendCamp,
  type SendElectorate,
  type Writer,
  weightOf,
} from './count.ts'
import { decide, type Finding, failure, isEnough, type SendSituation, wantsToFind } from './decision.ts'
import { judged, note } from './replies.ts'

export interface Broadcast {
  readonly id: string
  readonly chainId: number
  /** The transaction's hash as we made it, lower-case. */
  readonly hash: string
  /** All of them are sent to, at once. */
  readonly writers: readonly Writer[]
  /** Operators that take transactions by the configuration, cordoned ones included. */
  readonly takers: readonly string[]
  readonly electorate: SendElectorate
  readonly deadlineMs: number
}

export interface BroadcastPorts {
  readonly clock: Clock
  /** Sends the transaction's bytes to one node. `signal` fires at the deadline, never for the caller's sake. */
  /** `answer` is the id of what this becomes. */
  readonly sendTo: (writer: number, signal: Signal, answer: string) => Promise<Reply>
  /** Whether a quorum finds this transaction on the chain or in its pools. */
  readonly known: (hash: string) => Promise<boolean>
  readonly onStall?: (writer: number) => void
  /** A node has replied; a hash of another transaction arrives here as the fault that it is. */
  readonly onEnd?: (writer: number, reply: Reply, durationMs: number) => void
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
  readonly #needs: Needs
  readonly #startMs: number
  readonly #race: Race<Reply, AskRecord>
  readonly #ballots: SendBallot[] = []
  #finding: Finding = 'not-asked'
  #answer: SendOutcome | null = null
  #isOver = false
  #tellCaller: (sent: Sent) => void = () => {}
  #tellAll: (last: Sent) => void = () => {}

  constructor(question: Broadcast, ports: BroadcastPorts) {
    this.#question = question
    this.#ports = ports
    this.#needs = refusalNeeds(question.takers, question.electorate)
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
    for (const [index, writer] of this.#question.writers.entries())
      this.#race.start(index, pendingAsk({ ...writer, node: writer.name }, this.#startMs), writer.stallMs)
    this.#race.after(this.#question.deadlineMs, () => this.#end('timeout'))
    this.#step()
    return { sent, ended, close: () => this.#end('cancelled') }
  }

  async #send(writer: number, signal: Signal, onSent: () => void): Promise<Reply> {
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
    if (reply.kind === 'answer' || reply.kind === 'known')
      this.#ballots.push({ voter: member, kind: 'accepted' })
    if (reply.kind === 'refusal') this.#ballots.push({ voter: member, kind: 'refused', class: reply.class })
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
      if (wantsToFind(this.#look())) this.#find()
      this.#answer = decide(this.#look())
      if (this.#answer !== null) this.#tellCaller(this.#account(this.#answer))
    }
    if (this.#race.asks.every(({ state }) => state === 'ended') && this.#finding !== 'asked') this.#finish()
  }

  /** All that the answer may rest on, now. */
  #look(): SendSituation {
    const { hash, writers, electorate } = this.#question
    const { asks } = this.#race
    const answered = new Set(this.#ballots.map(({ voter }) => writers[voter]?.operator ?? ''))
    return {
      hash,
      camps: this.#count(),
      needs: this.#needs,
      answeredWeight: weightOf([...answered], electorate),
      finding: this.#finding,
      isAwaited: asks.some(({ state }) => state === 'awaited'),
      isOutstanding: asks.some(({ state, member }) => state !== 'ended' && writers[member]?.open !== true),
    }
  }

  #find(): void {
    this.#finding = 'asked'
    const found = (isFound: boolean) => {
      this.#finding = isFound ? 'found' : 'not-found'
      this.#step()
    }
    this.#ports.known(this.#question.hash).then(found, () => found(false))
  }

  /** All have replied. A quorum that says the nonce is used may have seen it used by this very transaction. */
  #finish(): void {
    const isUsed = this.#ballots.some(
      (ballot) => ballot.kind === 'refused' && ballot.class === 'nonce-too-low',
    )
    if (this.#finding === 'not-asked' && isUsed && this.#isRefused()) this.#find()
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

  #counted(): readonly SendBallot[] {
    return this.#finding === 'found' ? this.#ballots.map(asFound) : this.#ballots
  }

  #count(): readonly SendCamp[] {
    const { writers, electorate, hash } = this.#question
    return campsOf(this.#counted(), writers, { electorate, hash })
  }

  /** For whatever reasons: honest nodes may each name another one. */
  #isRefused(): boolean {
    const { writers, electorate } = this.#question
    const operators = refusersOf(this.#counted(), writers)
    return isEnough(this.#needs, weightOf(operators, electorate), operators)
  }

  #account(outcome: SendOutcome): Sent {
    const isDisputed = outcome.kind === 'accepted' && this.#isRefused()
    const evidence = accountOf(this.#question, {
      startMs: this.#startMs,
      endMs: this.#ports.clock.now(),
      outcome,
      camps: this.#count(),
      asks: this.#race.asks.map(({ record }) => record),
      needs: this.#needs,
      isDisputed,
      isFound: this.#finding === 'found',
    })
    return { outcome, evidence, isDisputed }
  }
}
