import type { Cancel } from '../clock.ts'
import { type AskRecord, pendingAsk } from '../events.ts'
import type { Reply } from '../wire/types.ts'
import type { Operators } from './electorate.ts'
import { createLongAnswers } from './long.ts'
import { type Held, nextVoter, progressOf, type VoterState } from './progress.ts'
import type { AskPorts, Outcome, Question, Unable, Voter } from './question.ts'
import type { Situation } from './situation.ts'
import { type Camp, createTally } from './tally.ts'
import type { Verdict } from './verdict.ts'
import { createWaiting } from './waiting.ts'

const repeatMs = 100

/** Why asks are given up. Made once: an error of its own for each would cost more than the asking. */
const over = new Error('the question has been decided')

/**
 * Asks voters in order until their replies are a verdict, and not one more than needed: the next is asked at once whenever
 * the best camp and all that is in flight and not stalled could not be a quorum. Time in our own queue is no node's stall: where an
 * ask waits there for that long, another node is asked only if it has a free place. Ends by the deadline, aborts what is then in
 * flight, leaves no timer. Rejects only when `signal` fires, with its reason.
 */
export function ask(question: Question, ports: AskPorts): Promise<Outcome> {
  const { electorate, voters, judge, signal } = question
  const { clock } = ports
  const startMs = clock.now()
  const controller = new AbortController()
  const long = createLongAnswers(question.readAhead)
  const tally = createTally(question.reading, { readyFor: long.readyFor, mayDiffer: judge.mayDiffer })
  const states: VoterState[] = voters.map(() => 'unasked')
  const records: (AskRecord | null)[] = voters.map(() => null)
  const asks: AskRecord[] = []
  const timers = new Set<Cancel>()
  const unable: Unable[] = []
  let behind: Operators = 0
  let late = false
  let outcome: Outcome | null = null
  let audits = question.audit ? 1 : 0
  let hearDissenters: (dissenters: readonly number[]) => void = () => {}

  return new Promise((resolve, reject) => {
    const waiting = createWaiting(voters, states, { clock, timer, onStall: ports.onStall, goOn })
    const leave = () => {
      if (outcome !== null) return
      outcome = outcomeOf({ kind: 'failed', rule: 'everybody left', reason: 'silent' })
      finish()
      reject(signal?.reason ?? new Error('left'))
    }
    if (signal?.aborted) return leave()
    signal?.addEventListener('abort', leave, { once: true })
    timer(question.deadlineMs, () => {
      late = true
      // It may have been decided long ago, with one more still to be heard out.
      if (outcome === null) step()
      else finish()
    })
    step()

    /** The only place where anything is decided: after the start, and after every reply, stall and the deadline. */
    function step(): void {
      for (;;) {
        const situation = look()
        const verdict = judge.decide(situation)
        if (verdict !== null) {
          settle(verdict)
          return
        }
        const wanted = judge.wantsMore(situation) || audits > 0
        const voter = wanted ? next(judge.wantsMore(look('awaited'))) : -1
        if (voter < 0) return
        if (!judge.wantsMore(situation)) audits = 0
        start(voter)
      }
    }

    function settle(verdict: Verdict): void {
      outcome = outcomeOf(verdict)
      signal?.removeEventListener('abort', leave)
      if (!question.audit || verdict.kind === 'failed' || !states.includes('awaited')) finish()
      resolve(outcome)
    }

    function start(voter: number): void {
      const { name, operator, weight } = voters[voter] as Voter
      const at = electorate.operators[operator] ?? name
      const record = pendingAsk({ node: name, operator: at, weight }, clock.now())
      states[voter] = 'queued'
      records[voter] = record
      asks.push(record)
      hear(voter, record, true)
      waiting.queued(voter)
    }

    function hear(voter: number, record: AskRecord, mayRepeat: boolean): void {
      void ports
        .send(voter, controller.signal, () => waiting.sent(voter, record))
        .then((reply) => heard(voter, record, reply, mayRepeat))
    }

    function heard(voter: number, record: AskRecord, reply: Reply, mayRepeat: boolean): void {
      if (record.endMs !== null) return
      if (reply.kind === 'behind' && mayRepeat && outcome === null) {
        timer(repeatMs, () => hear(voter, record, false))
        return
      }
      // While a long answer is being read, its voter is still being asked.
      const reading = reply.kind === 'answer' ? long.reading(reply.raw) : null
      if (reading !== null) {
        void reading.then(() => heard(voter, record, reply, false))
        return
      }
      const judged = count(voter, record, reply)
      record.endMs = clock.now()
      ports.onEnd(voter, judged, record.endMs - record.startMs)
      goOn()
    }

    /** After the verdict, one more may still be heard out. */
    function goOn(): void {
      if (outcome === null) step()
      else if (!states.includes('awaited')) finish()
    }
  })

  /** Notes what a voter said; an answer that is none becomes a fault. */
  function count(voter: number, record: AskRecord, reply: Reply): Reply {
    const { operator } = voters[voter] as Voter
    record.outcome = reply.kind
    if (reply.kind === 'answer' || reply.kind === 'revert' || reply.kind === 'refusal') {
      const camp = tally.vote(voter, operator, reply)
      if (camp !== null) {
        states[voter] = 'voted'
        record.camp = camp.place
        if (reply.kind === 'refusal') record.detail = reply.class
        return reply
      }
      states[voter] = 'out'
      record.outcome = 'fault'
      record.detail = 'malformed'
      return { kind: 'fault', fault: 'malformed' }
    }
    states[voter] = 'out'
    if (reply.kind === 'behind') behind |= 1 << operator
    if (reply.kind === 'fault') record.detail = reply.fault
    if (reply.kind === 'cannot') {
      record.detail = reply.why
      const takes = reply.why === 'method' ? null : reply.takes
      if (takes !== undefined) unable.push({ operator: 1 << operator, takes })
    }
    return reply
  }

  /** All that a verdict may rest on, now. */
  function look(held: Held = 'stalled'): Situation {
    const voted = tally.voted()
    return {
      electorate,
      camps: tally.camps,
      voted,
      behind: question.mayGoLower ? behind : 0,
      ...progressOf(voters, states, { voted, held }),
      late,
      isSuspicious: question.isSuspicious,
    }
  }

  function next(isNeeded: boolean): number {
    const { unasked } = look()
    return nextVoter(voters, states, { unasked, isNeeded })
  }

  function outcomeOf(verdict: Verdict): Outcome {
    const dissenters = new Promise<readonly number[]>((resolve) => {
      hearDissenters = resolve
    })
    return {
      verdict,
      startMs,
      endMs: clock.now(),
      asks,
      camps: tally.camps,
      behind,
      split: tally.split(),
      unable,
      dissenters,
    }
  }

  /** Aborts what is in flight and leaves no timer. */
  function finish(): void {
    for (const cancel of timers) cancel()
    timers.clear()
    // What took its voters long may take another one as long.
    const slowestMs = Math.max(
      ...asks.map(({ camp, endMs, startMs }) => (camp === null || endMs === null ? -1 : endMs - startMs)),
    )
    let isAnyInFlight = false
    for (const [voter, record] of records.entries()) {
      if (record === null || record.endMs !== null) continue
      record.endMs = clock.now()
      record.outcome = 'cancelled'
      states[voter] = 'out'
      isAnyInFlight = true
      const durationMs = record.endMs - record.startMs
      ports.onAbandoned(
        voter,
        record.stalledMs !== null && slowestMs >= 0 && durationMs > slowestMs,
        durationMs,
      )
    }
    if (isAnyInFlight) controller.abort(over)
    const verdict = outcome?.verdict
    const winner = verdict?.kind === 'agreed' && verdict.raw === null ? verdict : null
    const isContrary = ({ place }: Camp) => place !== winner?.camp.place && !winner?.joined.includes(place)
    hearDissenters(winner === null ? [] : tally.camps.filter(isContrary).flatMap((camp) => camp.voters))
  }

  function timer(ms: number, run: () => void): void {
    const cancel = clock.after(ms, () => {
      timers.delete(cancel)
      run()
    })
    timers.add(cancel)
  }
}
