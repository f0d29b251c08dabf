import type { Evidence, FailureReason, UpstreamRequestRecord } from '../events/evidence-types.ts'
import { buildEvidence, operatorsBeside, recordOfGroup } from '../evidence/build.ts'
import {
  type Electorate,
  isQuorum,
  noOperators,
  type OperatorSet,
  weightOf,
  withinOperators,
} from '../quorum/electorate.ts'
import type { RuleName } from '../quorum/verdict.ts'
import {
  type AcceptResult,
  type Decision,
  Round,
  type RoundOptions,
  type RoundRequest,
} from '../round/round.ts'
import type { Clock } from '../runtime/clock.ts'
import { indexesOf, type MemberIndex } from '../runtime/indexes.ts'
import type { RejectionClass } from '../wire/rejections.ts'
import type { Reply } from '../wire/types.ts'
import {
  countVotes,
  type TransactionCount,
  type TransactionGroup,
  type TransactionVote,
  type Writer,
} from './transaction-votes.ts'

export interface Broadcast {
  readonly id: string
  readonly chainId: number
  /** The transaction's hash as we made it, lower-case. */
  readonly hash: string
  /** All of them are sent to, at once. */
  readonly writers: readonly Writer[]
  /** Operators that take transactions by the configuration, cordoned ones included. */
  readonly writerOperators: OperatorSet
  readonly electorate: Electorate
  readonly deadlineMs: number
  /** The request that sends the transaction's bytes to a writer. `id`: that of the evidence. */
  readonly request: (writer: MemberIndex, id: string) => RoundRequest
  /** Whether a quorum finds this transaction on the chain or in its pools. */
  readonly known: (hash: string) => Promise<boolean>
}

/** What the caller of a broadcast is told. */
type SendOutcome =
  | { readonly kind: 'accepted'; readonly hash: string }
  | { readonly kind: 'refused'; readonly class: RejectionClass }
  | { readonly kind: 'failed'; readonly reason: FailureReason }

export interface SentTransaction {
  readonly outcome: SendOutcome
  /** As it stood when the caller was answered. */
  readonly evidence: Evidence
  /** One node accepted what a quorum rejects: its hash may be all that there will ever be of it. */
  readonly isDisputed: boolean
}

export interface Broadcasting {
  /**
   * The caller's result: at the first acceptance; else, when all have replied or stalled, at a quorum of rejections, or when
   * neither can come any more.
   */
  readonly sent: Promise<SentTransaction>
  /** The last account, when every node has replied or the deadline has passed. */
  readonly ended: Promise<SentTransaction>
  /** Gives up what is in flight. */
  readonly close: () => void
}

/**
 * Sends one transaction to every node that takes them, once, and goes on listening after its caller has been answered.
 * Both promises are kept by the deadline and neither rejects; no timer is left behind.
 */
export function broadcast(question: Broadcast, clock: Clock): Broadcasting {
  const { deadlineMs } = question
  const endMs = clock.now() + deadlineMs
  const round = new TransactionRound(question, { deadlineMs, clock, signal: null }).begin()
  let isClosed = false
  let leaveSearch = () => {}

  async function listen(): Promise<SentTransaction> {
    const outcome = await round.verdict
    await round.ended()
    const search = isClosed ? null : round.lastSearch()
    if (search !== null) await untilDeadline(search)
    return round.account(outcome)
  }

  function untilDeadline(search: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const cancel = clock.after(Math.max(0, endMs - clock.now()), resolve)
      leaveSearch = () => {
        cancel()
        resolve()
      }
      void search.then(leaveSearch)
    })
  }

  return {
    sent: round.verdict.then((outcome) => round.account(outcome)),
    ended: listen(),
    close() {
      isClosed = true
      round.close()
      leaveSearch()
    },
  }
}

/** Whether a quorum finds the transaction: searched for once, when a node says that its nonce is used. */
type Search = 'not-started' | 'running' | 'found' | 'not-found'

const rules = {
  acceptance: { id: 'acceptance', label: 'a broadcast needs one acceptance' },
  disputed: { id: 'acceptance-disputed', label: 'accepted by one, rejected by a quorum' },
  found: { id: 'found', label: 'a quorum finds the transaction' },
  rejection: { id: 'rejection-quorum', label: 'enough weight rejects' },
  silent: { id: 'too-few-replies', label: 'too few nodes answered' },
  disagree: { id: 'no-rejection-quorum', label: 'the nodes disagree' },
} as const satisfies Record<string, RuleName>

/** Decides the round of a transaction, and searches for one whose nonce is said to be used. */
class TransactionRound extends Round<SendOutcome> {
  readonly #question: Broadcast
  /** What a rejection takes. An operator whose node is cordoned still counts: cordoning must not make a quorum cheaper. */
  readonly #electorate: Electorate
  readonly #startMs: number
  readonly #votes: TransactionVote[] = []
  #search: Search = 'not-started'
  #searching: Promise<void> | null = null
  #isStarted = false

  constructor(question: Broadcast, times: RoundOptions) {
    super(times)
    this.#question = question
    this.#electorate = withinOperators(question.electorate, question.writerOperators)
    this.#startMs = this.clock.now()
  }

  protected start(member: MemberIndex): RoundRequest {
    return this.#question.request(member, this.#question.id)
  }

  protected accept(request: RoundRequest, sent: Reply): AcceptResult {
    const { member, record } = request
    const reply = judged(sent, this.#question.hash)
    if (reply.kind === 'result' || reply.kind === 'known') this.#votes.push({ member, rejection: null })
    if (reply.kind === 'rejected') this.#votes.push({ member, rejection: reply.class })
    note(record, reply)
    request.end(reply)
    return 'done'
  }

  protected decide(): Decision<SendOutcome> {
    const { hash, writers } = this.#question
    const { requests, isLate } = this
    if (!this.#isStarted) {
      this.#isStarted = true
      return { kind: 'start', members: indexesOf<MemberIndex>(writers) }
    }
    // What is not known by now is not waited for.
    if (isLate && this.#search === 'running') this.#search = 'not-found'
    const { groups, voted } = this.#count()
    const isAccepted = groups[0]?.rejection === null
    const electorate = this.#electorate
    const isSilent = groups.length === 0 || weightOf(electorate, voted) < electorate.needed
    const failed = { kind: 'failed', reason: isSilent ? 'silent' : 'disagree' } as const
    if (isLate) return { kind: 'verdict', verdict: failed, listenTo: 'nothing' }
    if (isAccepted) return decided({ kind: 'accepted', hash })
    // What used the nonce may be this very transaction.
    const isUsed = groups.some(({ rejection }) => rejection === 'nonce-too-low')
    if (isUsed && this.#search === 'not-started') this.#startSearch()
    // Nodes one block behind reject what the next one takes: a rejection waits for all, or their stall.
    if (requests.some(({ state }) => state === 'awaited')) return wait
    const isSearching = this.#search === 'running'
    const rejecting = groups.find(({ operators }) => isQuorum(electorate, operators))
    if (rejecting?.rejection === 'nonce-too-low' && isSearching) return wait
    if (rejecting?.rejection) return decided({ kind: 'refused', class: rejecting.rejection })
    // A node may still reply whose breaker is closed, those that have stalled among them.
    const isOutstanding = requests.some(
      ({ state, member }) => state !== 'ended' && writers[member]?.open !== true,
    )
    return isSearching || isOutstanding ? wait : decided(failed)
  }

  /** What a node does with a transaction says nothing of its health. */
  protected countsAsFault(): boolean {
    return false
  }

  /**
   * All have replied. Resolves when the search has ended; null where none is under way. A quorum that says the nonce is used may have seen
   * it used by this very transaction.
   */
  lastSearch(): Promise<void> | null {
    const isUsed = this.#votes.some(({ rejection }) => rejection === 'nonce-too-low')
    const haveAllReplied = this.requests.every(({ aborted }) => !aborted)
    const isMissing = this.#search === 'not-started' && isUsed && haveAllReplied
    if (isMissing && this.#count().isRejected) this.#startSearch()
    return this.#search === 'running' ? this.#searching : null
  }

  /** The result and its evidence as they stand: a copy, which does not change when more replies come in. */
  account(outcome: SendOutcome): SentTransaction {
    const { id, chainId, hash } = this.#question
    const { groups, isRejected } = this.#count()
    const electorate = this.#electorate
    const isDisputed = outcome.kind === 'accepted' && isRejected
    const isFailed = outcome.kind === 'failed'
    const rejection = outcome.kind === 'refused' ? outcome.class : null
    const winner = isFailed ? groups[0] : groups.find((group) => group.rejection === rejection)
    const operators = winner?.operators ?? noOperators
    const requests = this.requests.map(({ record, member }) => ({
      ...record,
      group: indexIn(groups, member),
    }))
    const evidence = buildEvidence({
      id,
      chainId,
      method: 'eth_sendRawTransaction',
      params: null,
      block: null,
      // One node is enough to take a transaction, and the lightest one weighs one.
      electorate: outcome.kind === 'accepted' ? { ...electorate, needed: 1, operatorsMin: 1 } : electorate,
      startMs: this.#startMs,
      endMs: this.clock.now(),
      rule: this.#ruleOf(outcome, isDisputed),
      reason: isFailed ? outcome.reason : null,
      operators,
      dissenting: isFailed ? noOperators : operatorsBeside(groups, operators),
      requests,
      groups: groups.map((group) =>
        recordOfGroup(group, electorate, {
          nodes: group.members.map((member) => requests[member]?.node ?? ''),
          text: group.rejection ?? JSON.stringify(hash),
        }),
      ),
      result: isFailed || winner === undefined ? null : groups.indexOf(winner),
    })
    return { outcome, evidence, isDisputed }
  }

  #ruleOf(outcome: SendOutcome, isDisputed: boolean): RuleName {
    if (outcome.kind === 'failed') return outcome.reason === 'silent' ? rules.silent : rules.disagree
    if (outcome.kind === 'refused') return rules.rejection
    if (isDisputed) return rules.disputed
    return this.#search === 'found' ? rules.found : rules.acceptance
  }

  #startSearch(): void {
    this.#search = 'running'
    this.#searching = this.#question
      .known(this.#question.hash)
      .catch(() => false)
      .then((isFound) => {
        if (this.#search === 'running') this.#search = isFound ? 'found' : 'not-found'
        this.recheck()
      })
  }

  #count(): TransactionCount {
    // Where a quorum finds the transaction, what used its nonce is this one.
    const isAccepted = ({ rejection }: TransactionVote) =>
      this.#search === 'found' && rejection === 'nonce-too-low'
    const votes = this.#votes.map((vote) => (isAccepted(vote) ? { ...vote, rejection: null } : vote))
    return countVotes(votes, this.#question.writers, this.#electorate)
  }
}

const wait = { kind: 'wait' } as const
const decided = (verdict: SendOutcome): Decision<SendOutcome> => ({
  kind: 'verdict',
  verdict,
  listenTo: 'everything',
})

function indexIn(groups: readonly TransactionGroup[], member: MemberIndex): number | null {
  const index = groups.findIndex(({ members }) => members.includes(member))
  return index < 0 ? null : index
}

/** What a node's reply is to this transaction: another hash than ours is a fault. */
function judged(reply: Reply, hash: string): Reply {
  if (reply.kind !== 'result') return reply
  return reply.raw.trim().toLowerCase() === `"${hash}"` ? reply : { kind: 'fault', fault: 'wrong-hash' }
}

/** Writes into the record of a request what came of it. */
function note(request: UpstreamRequestRecord, reply: Reply): void {
  request.outcome = reply.kind === 'fault' && reply.fault === 'cancelled' ? 'cancelled' : reply.kind
  request.detail = detailOf(reply)
}

function detailOf(reply: Reply): string | null {
  if (reply.kind === 'fault') return reply.fault
  if (reply.kind === 'rejected') return reply.class
  return reply.kind === 'unsupported' ? reply.why : null
}
