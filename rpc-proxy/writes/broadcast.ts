import type { Cancel, Clock } from '../clock.ts'
import { type AskRecord, type Evidence, pendingAsk } from '../events.ts'
import type { Reply } from '../wire/types.ts'
import { accountOf, type SendOutcome } from './account.ts'
import {
  asFound,
  campsOf,
  refusalNeeds,
  refusersOf,
  type SendBallot,
  type SendCamp,
  type SendElectorate,
  type Writer,
  weightOf,
} from './count.ts'
import { close, judged } from './replies.ts'

export interface Broadcast {
  readonly id: string
  readonly chainId: number
  /** The transaction's hash as we made it, lower-case. */
  readonly hash: string
  /** All of them are sent to, at once. */
  readonly writers: readonly Writer[]
  /** Operators that take transactions by the configuration, whoever is asked today. */
  readonly takers: readonly string[]
  readonly electorate: SendElectorate
  readonly deadlineMs: number
}

export interface BroadcastPorts {
  readonly clock: Clock
  /** Sends the transaction's bytes to one node. `signal` fires at the deadline, never for the caller's sake. */
  /** `answer` is the id of what this becomes. */
  readonly sendTo: (writer: number, signal: AbortSignal, answer: string) => Promise<Reply>
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
  const { hash, writers, takers, electorate, deadlineMs } = question
  const { clock } = ports
  const startMs = clock.now()
  const needs = refusalNeeds(takers, electorate)
  const controller = new AbortController()
  const ballots: SendBallot[] = []
  const asks: AskRecord[] = writers.map((writer) => pendingAsk({ ...writer, node: writer.name }, startMs))
  const timers = new Set<Cancel>()
  /** Whether a quorum finds the transaction: asked once, when a node says that its nonce is used. */
  let finding: 'not-asked' | 'asked' | 'found' | 'not-found' = 'not-asked'
  let answer: SendOutcome | null = null
  let isOver = false
  let tellCaller: (sent: Sent) => void = () => {}
  let tellAll: (last: Sent) => void = () => {}
  const sent = new Promise<Sent>((resolve) => {
    tellCaller = resolve
  })
  const ended = new Promise<Sent>((resolve) => {
    tellAll = resolve
  })

  for (const [index, writer] of writers.entries()) {
    timer(writer.stallMs, () => stalled(index))
    void send(index)
  }
  timer(deadlineMs, () => end('timeout'))
  step()
  return { sent, ended, close: () => end('cancelled') }

  async function send(writer: number): Promise<void> {
    let reply: Reply
    try {
      reply = judged(await ports.sendTo(writer, controller.signal, question.id), hash)
    } catch {
      reply = { kind: 'fault', fault: 'error' }
    }
    if (!isOver) replied(writer, reply)
  }

  function replied(writer: number, reply: Reply): void {
    const ask = asks[writer] as AskRecord
    close(ask, reply, clock.now())
    if (reply.kind === 'answer' || reply.kind === 'known') ballots.push({ voter: writer, kind: 'accepted' })
    if (reply.kind === 'refusal') ballots.push({ voter: writer, kind: 'refused', class: reply.class })
    ports.onEnd?.(writer, reply, clock.now() - startMs)
    step()
  }

  function stalled(writer: number): void {
    const ask = asks[writer] as AskRecord
    if (ask.endMs !== null) return
    ask.stalledMs = clock.now()
    ports.onStall?.(writer)
    step()
  }

  /** The only place where anything is decided: after the start, and after every reply, stall and finding. */
  function step(): void {
    if (isOver) return
    if (answer === null) {
      answer = decide()
      if (answer !== null) tellCaller(account(answer))
    }
    if (asks.every(({ endMs }) => endMs !== null) && finding !== 'asked') finish()
  }

  function decide(): SendOutcome | null {
    const camps = count()
    if (camps[0]?.refusal === null) return { kind: 'accepted', hash }
    if (finding === 'not-asked' && camps.some(({ refusal }) => refusal === 'nonce-too-low')) find()
    // Nodes one block behind refuse what the next one takes: a refusal waits for all, or their stall.
    if (asks.some(({ endMs, stalledMs }) => endMs === null && stalledMs === null)) return null
    const refused = camps.find(
      ({ refusal, weight, operators }) => refusal !== null && isEnough(weight, operators),
    )
    if (refused?.refusal === 'nonce-too-low' && finding === 'asked') return null
    if (refused?.refusal) return { kind: 'refused', class: refused.refusal }
    const canStillCome =
      finding === 'asked' || asks.some(({ endMs }, index) => endMs === null && writers[index]?.open !== true)
    return canStillCome ? null : failure(camps)
  }

  function find(): void {
    finding = 'asked'
    const found = (isFound: boolean) => {
      finding = isFound ? 'found' : 'not-found'
      step()
    }
    ports.known(hash).then(found, () => found(false))
  }

  /** Nobody else will reply. Those of a quorum who say that the nonce is used may have it from this very transaction. */
  function finish(): void {
    const isUsed = ballots.some((ballot) => ballot.kind === 'refused' && ballot.class === 'nonce-too-low')
    if (finding === 'not-asked' && isUsed && isRefused()) find()
    else end('cancelled')
  }

  function end(why: 'timeout' | 'cancelled'): void {
    if (isOver) return
    isOver = true
    for (const cancel of timers) cancel()
    for (const [writer, ask] of asks.entries()) {
      if (ask.endMs !== null) continue
      const silence: Reply = { kind: 'fault', fault: why }
      close(ask, silence, clock.now())
      ports.onEnd?.(writer, silence, clock.now() - startMs)
    }
    controller.abort()
    answer ??= failure(count())
    const last = account(answer)
    tellCaller(last)
    tellAll(last)
  }

  function counted(): readonly SendBallot[] {
    return finding === 'found' ? ballots.map(asFound) : ballots
  }

  function count(): readonly SendCamp[] {
    return campsOf(counted(), writers, { electorate, hash })
  }

  function isEnough(weight: number, operators: readonly string[]): boolean {
    return weight >= needs.weight && operators.length >= needs.operators
  }

  /** For whatever reasons: honest nodes may each name another one. */
  function isRefused(): boolean {
    const operators = refusersOf(counted(), writers)
    return isEnough(weightOf(operators, electorate), operators)
  }

  function failure(camps: readonly SendCamp[]): SendOutcome {
    const answered = new Set(ballots.map(({ voter }) => writers[voter]?.operator ?? ''))
    const isSilent = camps.length === 0 || weightOf([...answered], electorate) < needs.weight
    return { kind: 'failed', reason: isSilent ? 'silent' : 'disagree' }
  }

  function account(outcome: SendOutcome): Sent {
    const camps = count()
    const isDisputed = outcome.kind === 'accepted' && isRefused()
    const evidence = accountOf(question, {
      startMs,
      endMs: clock.now(),
      outcome,
      camps,
      asks,
      needs,
      isDisputed,
      isFound: finding === 'found',
    })
    return { outcome, evidence, isDisputed }
  }

  function timer(ms: number, run: () => void): void {
    const cancel = clock.after(ms, () => {
      timers.delete(cancel)
      run()
    })
    timers.add(cancel)
  }
}
