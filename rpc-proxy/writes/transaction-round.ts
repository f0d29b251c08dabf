import type { Evidence, UpstreamRequestRecord } from '../events/evidence-types.ts'
import { type Electorate, type OperatorSet, withinOperators } from '../quorum/electorate.ts'
import {
  type AcceptResult,
  type Decision,
  type Round,
  RoundRequest,
  type RoundRules,
  type RoundState,
  runRound,
} from '../round/round.ts'
import type { Clock } from '../runtime/clock.ts'
import { indexesOf, type MemberIndex } from '../runtime/indexes.ts'
import { errorFault, type Reply } from '../wire/types.ts'
import {
  accountOf,
  asFound,
  countVotes,
  decideTransaction,
  failure,
  isRejected,
  needsSearch,
  type Search,
  type SendOutcome,
  type TransactionCount,
  type TransactionSituation,
  type TransactionVote,
  type Writer,
} from './transaction-evidence.ts'

/** An upstream request that sends a transaction, with its record for the evidence. */
export interface TransactionRequest extends RoundRequest<Reply> {
  readonly record: UpstreamRequestRecord
  /** Reports what it brought. */
  readonly end: (reply: Reply) => void
}

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
}

export interface BroadcastPorts {
  readonly clock: Clock
  /** The request that sends the transaction's bytes to a writer. `id`: that of the evidence. */
  readonly request: (writer: MemberIndex, id: string) => TransactionRequest
  /** Whether a quorum finds this transaction on the chain or in its pools. */
  readonly known: (hash: string) => Promise<boolean>
}

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
export function broadcast(question: Broadcast, ports: BroadcastPorts): Broadcasting {
  const transaction = new TransactionRound(question, ports)
  const endMs = ports.clock.now() + question.deadlineMs
  const round = runRound(transaction, { deadlineMs: question.deadlineMs, clock: ports.clock, signal: null })
  let searching: Round<boolean> | null = null

  async function listen(): Promise<SentTransaction> {
    const outcome = await round.verdict
    await round.ended()
    if (transaction.isSearchMissing()) {
      const deadlineMs = endMs - ports.clock.now()
      searching = runRound(new SearchRound(question.hash, ports), {
        deadlineMs,
        clock: ports.clock,
        signal: null,
      })
      if (await searching.verdict) transaction.found()
    }
    return transaction.account(outcome)
  }

  return {
    sent: round.verdict.then((outcome) => transaction.account(outcome)),
    ended: listen(),
    close() {
      round.close()
      searching?.close()
    },
  }
}

type OwnRequest = TransactionRequest | SearchRequest

/** Decides the round of a transaction. Its last member is the search for a transaction whose nonce is said to be used. */
class TransactionRound implements RoundRules<Reply, OwnRequest, SendOutcome> {
  readonly fault = errorFault
  readonly #question: Broadcast
  readonly #ports: BroadcastPorts
  /** What a rejection takes. An operator whose node is cordoned still counts: cordoning must not make a quorum cheaper. */
  readonly #electorate: Electorate
  readonly #startMs: number
  readonly #searchMember: MemberIndex
  readonly #requests: TransactionRequest[] = []
  readonly #votes: TransactionVote[] = []
  #search: Search = 'not-started'
  #isStarted = false

  constructor(question: Broadcast, ports: BroadcastPorts) {
    this.#question = question
    this.#ports = ports
    this.#electorate = withinOperators(question.electorate, question.writerOperators)
    this.#startMs = ports.clock.now()
    this.#searchMember = question.writers.length as MemberIndex
  }

  start(member: MemberIndex): OwnRequest {
    const { id, hash } = this.#question
    if (member === this.#searchMember) return new SearchRequest(member, () => this.#ports.known(hash))
    const request = this.#ports.request(member, id)
    this.#requests.push(request)
    return request
  }

  accept(request: OwnRequest, sent: Reply): AcceptResult {
    if (request instanceof SearchRequest) {
      this.#search = sent.kind === 'known' ? 'found' : 'not-found'
      return 'done'
    }
    const { member, record } = request
    const reply = judged(sent, this.#question.hash)
    if (reply.kind === 'result' || reply.kind === 'known') this.#votes.push({ member, rejection: null })
    if (reply.kind === 'rejected') this.#votes.push({ member, rejection: reply.class })
    note(record, reply)
    request.end(reply)
    return 'done'
  }

  decide({ requests, isLate }: RoundState<OwnRequest>): Decision<SendOutcome> {
    if (!this.#isStarted) {
      this.#isStarted = true
      return { kind: 'start', members: indexesOf<MemberIndex>(this.#question.writers) }
    }
    const situation = this.#situation(requests)
    if (isLate) return { kind: 'verdict', verdict: failure(situation), listenTo: 'nothing' }
    if (needsSearch(situation)) {
      this.#search = 'running'
      return { kind: 'start', members: [this.#searchMember] }
    }
    const outcome = decideTransaction(situation)
    return outcome === null ? { kind: 'wait' } : { kind: 'verdict', verdict: outcome, listenTo: 'everything' }
  }

  /** What a node does with a transaction says nothing of its health. */
  countsAsFault(): boolean {
    return false
  }

  /** All have replied. A quorum that says the nonce is used may have seen it used by this very transaction. */
  isSearchMissing(): boolean {
    const isUsed = this.#votes.some(({ rejection }) => rejection === 'nonce-too-low')
    const haveAllReplied = this.#requests.every(({ aborted }) => !aborted)
    return (
      this.#search === 'not-started' &&
      isUsed &&
      haveAllReplied &&
      isRejected(this.#count(), this.#electorate)
    )
  }

  /** A quorum finds the transaction. */
  found(): void {
    this.#search = 'found'
  }

  account(outcome: SendOutcome): SentTransaction {
    const count = this.#count()
    const isDisputed = outcome.kind === 'accepted' && isRejected(count, this.#electorate)
    const evidence = accountOf(this.#question, {
      startMs: this.#startMs,
      endMs: this.#ports.clock.now(),
      outcome,
      groups: count.groups,
      requests: this.#requests.map(({ record }) => record),
      electorate: this.#electorate,
      isDisputed,
      isFound: this.#search === 'found',
    })
    return { outcome, evidence, isDisputed }
  }

  /** All that the result may depend on, now. */
  #situation(requests: readonly OwnRequest[]): TransactionSituation {
    const { hash, writers } = this.#question
    const { groups, voted } = this.#count()
    const sends = requests.filter(({ member }) => member !== this.#searchMember)
    return {
      hash,
      groups,
      electorate: this.#electorate,
      voted,
      search: this.#search,
      isAwaited: sends.some(({ state }) => state === 'awaited'),
      isOutstanding: sends.some(({ state, member }) => state !== 'ended' && writers[member]?.open !== true),
    }
  }

  #count(): TransactionCount {
    const votes = this.#search === 'found' ? this.#votes.map(asFound) : this.#votes
    return countVotes(votes, this.#question.writers, this.#electorate)
  }
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

const onlyMember = 0 as MemberIndex

/** The search for a transaction, as a member of a round: `known` where a quorum finds it. It never stalls. */
class SearchRequest extends RoundRequest<Reply> {
  readonly #search: () => Promise<boolean>

  constructor(member: MemberIndex, search: () => Promise<boolean>) {
    super(member, Number.POSITIVE_INFINITY, { startMs: 0, endMs: null, stalledMs: null })
    this.#search = search
  }

  send(): void {
    this.left()
    this.#search().then(
      (isFound) => this.replied({ kind: isFound ? 'known' : 'behind' }),
      () => this.replied({ kind: 'behind' }),
    )
  }

  // The search is a read, which reports what becomes of its own requests.
  stall(): void {}
  giveUp(): void {}
}

/** A round that searches and nothing else. Its verdict: whether the transaction was found. */
class SearchRound implements RoundRules<Reply, SearchRequest, boolean> {
  readonly fault = errorFault
  readonly #search: () => Promise<boolean>
  #isFound = false

  constructor(hash: string, { known }: { readonly known: (hash: string) => Promise<boolean> }) {
    this.#search = () => known(hash)
  }

  start(member: MemberIndex): SearchRequest {
    return new SearchRequest(member, this.#search)
  }

  accept(_: SearchRequest, reply: Reply): AcceptResult {
    this.#isFound = reply.kind === 'known'
    return 'done'
  }

  decide({ requests: [search], isLate }: RoundState<SearchRequest>): Decision<boolean> {
    if (search === undefined) return { kind: 'start', members: [onlyMember] }
    return search.state === 'ended' || isLate
      ? { kind: 'verdict', verdict: this.#isFound, listenTo: 'nothing' }
      : { kind: 'wait' }
  }

  countsAsFault(): boolean {
    return false
  }
}
