import { gone, type Signal } from '../abort.ts'
import { type AskRecord, pendingAsk } from '../events.ts'
import type { MemberIndex } from '../indexes.ts'
import { type Ask, type AskState, Race, type RaceEvents } from '../race/race.ts'
import type { Reply } from '../wire/types.ts'
import { LongAnswers } from './long.ts'
import { noOperators, setOf, union } from './operator-set.ts'
import { type Held, nextMember, progressOf } from './progress.ts'
import type { AskPorts, Outcome, Question, Unable, Voter } from './question.ts'
import { type ReplyGroup, ReplyTally } from './reply-tally.ts'
import type { Situation } from './situation.ts'
import type { Agreed, RuleName, Verdict } from './verdict.ts'

const repeatMs = 100
const everybodyLeft: RuleName = { id: 'everybody-left', label: 'everybody left' }

/**
 * Asks voters in order until their replies are a verdict, and not one more than needed: the next is asked at once whenever
 * the best camp and all that is in flight and not stalled could not be a quorum. Time in our own queue is no node's stall: where an
 * ask waits there for that long, another node is asked only if it has a free place. Ends by the deadline, aborts what is then in
 * flight, leaves no timer. Rejects only when `signal` fires, with `gone`.
 */
export function ask(question: Question, ports: AskPorts): Promise<Outcome> {
  return new Promise((resolve, reject) => new Asking(question, ports, { resolve, reject }).begin())
}

interface Settle {
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (reason: unknown) => void
}

class Asking implements RaceEvents<Reply, AskRecord> {
  readonly #question: Question
  readonly #ports: AskPorts
  readonly #settle: Settle
  readonly #race: Race<Reply, AskRecord>
  readonly #long: LongAnswers
  readonly #tally: ReplyTally
  /** By voter. */
  readonly #asks: (Ask<AskRecord> | undefined)[]
  readonly #unable: Unable[] = []
  readonly #startMs: number
  #behind = noOperators
  #late = false
  #outcome: Outcome | null = null
  #audits: number

  constructor(question: Question, ports: AskPorts, settle: Settle) {
    const { strategy, textOf, readAhead, voters, audit } = question
    this.#question = question
    this.#ports = ports
    this.#settle = settle
    this.#startMs = ports.clock.now()
    this.#long = new LongAnswers(readAhead)
    this.#tally = new ReplyTally(textOf, { parsed: this.#long, mayDiffer: strategy.mayDiffer })
    this.#asks = voters.map(() => undefined)
    this.#audits = audit ? 1 : 0
    this.#race = new Race(ports.clock, this)
  }

  begin(): void {
    const { signal, deadlineMs } = this.#question
    if (signal?.aborted) {
      this.#leave()
      return
    }
    signal?.addEventListener('abort', this.#leave, { once: true })
    this.#race.after(deadlineMs, () => {
      this.#late = true
      // It may have been decided long ago, with one more still to be heard out.
      if (this.#outcome === null) this.#step()
      else this.#finish()
    })
    this.#step()
  }

  readonly #leave = (): void => {
    if (this.#outcome !== null) return
    this.#outcome = this.#outcomeOf({ kind: 'failed', rule: everybodyLeft, reason: 'silent' })
    this.#finish()
    this.#settle.reject(gone)
  }

  send(voter: MemberIndex, signal: Signal, onSent: () => void): Promise<Reply> {
    return this.#ports.send(voter, signal, onSent)
  }

  onStall({ member }: Ask<AskRecord>): void {
    this.#ports.onStall(member)
    this.#goOn()
  }

  onHeld(): void {
    this.#goOn()
  }

  /** The only place where anything is decided: after the start, and after every reply, stall and the deadline. */
  #step(): void {
    const { strategy, voters } = this.#question
    for (;;) {
      const situation = this.#look()
      const verdict = strategy.decide(situation)
      if (verdict !== null) {
        this.#decided(verdict)
        return
      }
      const needsMore = strategy.needsMore(situation)
      if (!needsMore && this.#audits === 0) return
      // A node without a free place is asked only where one more is needed even if those in our queue get their places.
      const isNeeded = this.#isAny('held') ? strategy.needsMore(this.#look('awaited')) : needsMore
      const voter = nextMember(voters, this.#asks, {
        remaining: situation.remaining,
        isNeeded,
        places: this.#ports,
      })
      if (voter === null) return
      if (!needsMore) this.#audits = 0
      this.#start(voter)
    }
  }

  /** After the verdict, one more may still be heard out. */
  #goOn(): void {
    if (this.#outcome === null) this.#step()
    else if (!this.#isAny('awaited')) this.#finish()
  }

  #decided(verdict: Verdict): void {
    const { signal, audit } = this.#question
    const outcome = this.#outcomeOf(verdict)
    this.#outcome = outcome
    signal?.removeEventListener('abort', this.#leave)
    if (!audit || verdict.kind === 'failed' || !this.#isAny('awaited')) this.#finish()
    this.#settle.resolve(outcome)
  }

  #isAny(state: AskState): boolean {
    return this.#race.asks.some((asked) => asked.state === state)
  }

  #start(voter: MemberIndex): void {
    const { electorate, voters } = this.#question
    const { name, operator, weight, stallMs } = voters[voter] as Voter
    const record = pendingAsk(
      { node: name, operator: electorate.operators[operator] ?? name, weight },
      this.#ports.clock.now(),
    )
    this.#asks[voter] = this.#race.start(voter, record, stallMs)
  }

  onReply(asked: Ask<AskRecord>, reply: Reply): void {
    const { voters } = this.#question
    if (reply.kind === 'behind' && asked.sends === 1 && this.#outcome === null) {
      this.#race.after(repeatMs, () => this.#race.send(asked))
      return
    }
    // While a long answer is being read, its voter is still being asked.
    const reading = reply.kind === 'answer' ? this.#long.reading(reply.raw) : null
    if (reading !== null) {
      void reading.then(() => {
        if (asked.state !== 'ended') this.onReply(asked, reply)
      })
      return
    }
    const judged = this.#count(asked, voters[asked.member] as Voter, reply)
    this.#race.close(asked)
    const { startMs, endMs } = asked.record
    this.#ports.onEnd(asked.member, judged, (endMs ?? startMs) - startMs)
    this.#goOn()
  }

  /** Notes what a voter said; an answer that is none becomes a fault. */
  #count({ member, record }: Ask<AskRecord>, { operator }: Voter, reply: Reply): Reply {
    record.outcome = reply.kind
    if (reply.kind === 'answer' || reply.kind === 'revert' || reply.kind === 'refusal') {
      const group = this.#tally.vote(member, operator, reply)
      if (group === null) {
        record.outcome = 'fault'
        record.detail = 'malformed'
        return { kind: 'fault', fault: 'malformed' }
      }
      record.camp = group.index
      if (reply.kind === 'refusal') record.detail = reply.class
      return reply
    }
    if (reply.kind === 'behind') this.#behind = union(this.#behind, setOf(operator))
    if (reply.kind === 'fault') record.detail = reply.fault
    if (reply.kind === 'cannot') {
      record.detail = reply.why
      const { why, takes } = reply
      if (why === 'method' || why === 'pruned') this.#unable.push({ operator: setOf(operator), why })
      else if (takes !== undefined) this.#unable.push({ operator: setOf(operator), why: 'range', takes })
    }
    return reply
  }

  /** All that a verdict may rest on, now. */
  #look(held: Held = 'stalled'): Situation {
    const { electorate, voters, mayGoLower, isSuspicious } = this.#question
    const voted = this.#tally.voted
    return {
      electorate,
      groups: this.#tally.groups,
      voted,
      behind: mayGoLower ? this.#behind : noOperators,
      ...progressOf(voters, this.#asks, { voted, held }),
      late: this.#late,
      isSuspicious,
    }
  }

  #outcomeOf(verdict: Verdict): Outcome {
    return {
      verdict,
      startMs: this.#startMs,
      endMs: this.#ports.clock.now(),
      asks: this.#race.asks.map(({ record }) => record),
      groups: this.#tally.groups,
      behind: this.#behind,
      split: this.#tally.split,
      unable: this.#unable,
    }
  }

  /** Aborts what is in flight and leaves no timer. */
  #finish(): void {
    // What took its voters long may take another one as long.
    const slowestMs = Math.max(
      ...this.#race.asks.map(({ record: { camp, endMs, startMs } }) =>
        camp === null || endMs === null ? -1 : endMs - startMs,
      ),
    )
    for (const { member, record } of this.#race.end()) {
      record.outcome = 'cancelled'
      const durationMs = (record.endMs ?? record.startMs) - record.startMs
      const isSlow = record.stalledMs !== null && slowestMs >= 0 && durationMs > slowestMs
      this.#ports.onAbandoned(member, isSlow, durationMs)
    }
    const verdict = this.#outcome?.verdict
    if (verdict?.kind === 'agreed' && verdict.raw === null) this.#tellDissent(verdict)
  }

  #tellDissent(agreed: Agreed): void {
    const { group, joined } = agreed
    const isContrary = ({ index }: ReplyGroup) => index !== group.index && !joined.includes(index)
    for (const { members } of this.#tally.groups.filter(isContrary))
      for (const member of members) this.#ports.onDissent(member, agreed)
  }
}
