import type { Policy, UpstreamRequestRecord } from '../events/evidence-types.ts'
import { contradictsAgreedBlock } from '../methods/method-spec.ts'
import {
  type AcceptResult,
  type Decision,
  Round,
  type RoundOptions,
  type RoundRequest,
} from '../round/round.ts'
import type { MemberIndex } from '../runtime/indexes.ts'
import type { Reply, UnknownError } from '../wire/types.ts'
import {
  contains,
  difference,
  type Electorate,
  type Electorates,
  intersection,
  isEmpty,
  isQuorum,
  noOperators,
  type OperatorSet,
  setOf,
  union,
} from './electorate.ts'
import { nextStep, type PolicySituation, undecided } from './policy.ts'
import { type CanonicalText, LongResults, type ParsedResult, type ReplyGroup, ReplyTally } from './tally.ts'
import { isErrorDisputed, isSameError, mayRefuse, type Unable } from './unable.ts'
import {
  type Failed,
  isAnyAwaited,
  isExhausted,
  isVoterDown,
  noteProgress,
  outstanding,
  type ReadMember,
  type RoundSituation,
  type RoundSituationNow,
  type RuleName,
  type Strategy,
  type Verdict,
} from './verdict.ts'

export interface ReadQuestion {
  readonly electorates: Electorates
  /** Under which it begins: an everyday round is tightened as soon as a voter is unusable or outvoted. */
  readonly policy: Exclude<Policy, 'tightened'>
  readonly strategy: Strategy
  readonly textOf: CanonicalText
  /** Parses a long result in slices; null when it is no JSON. */
  readonly readAhead: (raw: string) => Promise<ParsedResult | null>
  readonly isSuspicious: (value: unknown) => boolean
  /** It names a block of another branch than the agreed one. */
  readonly isOffChain: (group: ReplyGroup) => boolean
  /** It may be retried at the previous block. */
  readonly mayRetryParent: boolean
  /** One upstream request more than the verdict needs, which is waited for, so that others than the fastest nodes are heard. */
  readonly audit: boolean
}

/** How a round ended. */
export interface ReadOutcome {
  readonly verdict: Verdict
  readonly policy: Policy
  /** Witnesses could not complete the round: the voters alone agree, by the everyday rule. */
  readonly isThin: boolean
  /** By which the verdict was found. */
  readonly electorate: Electorate
  readonly startMs: number
  readonly endMs: number
  readonly requests: readonly UpstreamRequestRecord[]
  readonly groups: readonly ReplyGroup[]
  /** Operators that do not have the block yet. */
  readonly behind: OperatorSet
  readonly split: OperatorSet
  readonly unable: readonly Unable[]
}

interface Decided {
  readonly verdict: Verdict
  readonly isThin: boolean
}

const thisCallAlone: Reply = { kind: 'unsupported', why: 'execution' }

const againMs = 100
const isFailing = ({ state, record }: RoundRequest) =>
  state === 'stalled' || state === 'queued-too-long' || record.outcome === 'fault'
const wait: Decision<never> = { kind: 'wait' }

/**
 * Decides the round of a read: sends to no more members than needed. The next one is started at once whenever the heaviest group
 * and all that is in flight and not stalled could not be a quorum. Where a request has waited in our queue for a stall, another
 * node is sent the call only if it has a free slot.
 */
export abstract class ReadRound<Request extends RoundRequest> extends Round<ReadOutcome, Request> {
  readonly #question: ReadQuestion
  /** In the order in which to send. */
  protected readonly members: readonly ReadMember[]
  readonly #long: LongResults
  readonly #tally: ReplyTally
  readonly #byMember: (Request | undefined)[]
  readonly #unable: Unable[] = []
  /** Replies with an unknown error: faults, or what a quorum refuses. */
  readonly #unexplained: { readonly request: Request; readonly reply: Reply }[] = []
  readonly #startMs: number
  #behind = noOperators
  /** Operators whose results contradict an agreed block. */
  #contradicting = noOperators
  #isOffChain = false
  #isDecided = false
  #policy: Policy
  readonly #situation: RoundSituationNow
  /** One object for all steps too. */
  readonly #policyFacts: { -readonly [Key in keyof PolicySituation]: PolicySituation[Key] }
  #audits: number

  constructor(question: ReadQuestion, members: readonly ReadMember[], times: RoundOptions) {
    super(times)
    this.#question = question
    this.members = members
    this.#startMs = this.clock.now()
    this.#long = new LongResults(question)
    this.#tally = new ReplyTally(question)
    this.#byMember = members.map(() => undefined)
    this.#audits = question.audit ? 1 : 0
    const { mayTighten, everyday } = question.electorates
    this.#situation = {
      electorate: everyday,
      groups: this.#tally.groups,
      voted: noOperators,
      behind: noOperators,
      awaited: noOperators,
      stalled: noOperators,
      remaining: noOperators,
      remainingUsable: noOperators,
      stalledAreOpen: true,
      awaitedAreOpen: true,
      late: false,
      isSuspicious: question.isSuspicious,
      queuedTooLongAs: 'stalled',
      withWitnesses: false,
    }
    this.#policyFacts = { ...undecided, mayTighten, isDoubtful: mayTighten && isVoterDown(members) }
    this.#policy = nextStep(question.policy, this.#policyFacts) === 'tighten' ? 'tightened' : question.policy
  }

  protected abstract request(member: MemberIndex): Request
  /** Whether a member has a slot free for it. */
  protected abstract hasSlot(member: MemberIndex): boolean

  protected start(member: MemberIndex): Request {
    const request = this.request(member)
    this.#byMember[member] = request
    return request
  }

  protected accept(request: Request, reply: Reply): AcceptResult {
    if (reply.kind === 'behind' && request.sends === 1 && !this.#isDecided) return { againMs }
    // While a long result is being parsed, its node is still awaited.
    const when = reply.kind === 'result' ? this.#long.reading(reply.raw) : null
    if (when !== null) return { when }
    const judged = this.#count(request, reply)
    if ('unknown' in judged && !this.#isDecided) this.#unexplained.push({ request, reply: judged })
    else request.end(judged)
    return 'done'
  }

  /** Some have replied with an unknown error, and have not been told what it was. */
  protected hasUnexplained(): boolean {
    return this.#unexplained.length > 0
  }

  /** Reports what the unknown errors were: these are the call's, the others are faults. */
  protected explain(refused: UnknownError | null): void {
    for (const { request, reply } of this.#unexplained.splice(0)) {
      const isRejected = 'unknown' in reply && refused !== null && isSameError(reply.unknown, refused)
      if (isRejected) Object.assign(request.record, { outcome: 'rejected', detail: null })
      request.end(isRejected ? thisCallAlone : reply)
    }
  }

  protected decide(): Decision<ReadOutcome> {
    const { strategy, audit } = this.#question
    if (this.#policy === 'everyday') this.#tightenIfDoubtful()
    this.#situation.late = this.isLate
    const situation = this.#asOfNow(this.#situation)
    const decided = this.#decided(situation)
    if (decided !== null) {
      this.#isDecided = true
      const listenTo = audit && decided.verdict.kind === 'agreed' ? 'while-awaited' : 'nothing'
      return { kind: 'verdict', verdict: this.#outcome(decided), listenTo }
    }
    const needsMore = strategy.needsMore(situation) || this.#mustFanOut(situation)
    if (!needsMore && this.#audits === 0) return wait
    // A node without a free slot is started only where one more is needed even if those in our queue get their slots.
    const isAnyQueuedTooLong = this.requests.some(({ state }) => state === 'queued-too-long')
    const isNeeded = isAnyQueuedTooLong
      ? strategy.needsMore(this.#asOfNow({ ...situation, queuedTooLongAs: 'awaited' }))
      : needsMore
    const next = this.#nextMember(situation, isNeeded)
    if (next === null) return wait
    if (!needsMore) this.#audits = 0
    return { kind: 'start', members: [next] }
  }

  /** Don't blame a node for being as slow as the nodes that voted. */
  protected countsAsFault({ record }: Request): boolean {
    const durationOf = ({ startMs, endMs }: UpstreamRequestRecord) => (endMs ?? startMs) - startMs
    const votes = this.requests.filter((each) => each.record.group !== null)
    return votes.length > 0 && votes.every((vote) => durationOf(record) > durationOf(vote.record))
  }

  /** Counts what a node sent; a malformed result becomes a fault. */
  #count({ member, record }: Request, reply: Reply): Reply {
    const { operator } = this.members[member] as ReadMember
    record.outcome = reply.kind
    if (reply.kind === 'result' || reply.kind === 'reverted' || reply.kind === 'rejected') {
      const parsed = reply.kind === 'result' ? this.#long.parsedOf(reply.raw) : undefined
      const group = this.#tally.vote({ member, operator }, reply, parsed)
      if (group === contradictsAgreedBlock) this.#contradicting = union(this.#contradicting, setOf(operator))
      if (group === null || group === contradictsAgreedBlock) {
        record.outcome = 'fault'
        record.detail = 'malformed'
        return { kind: 'fault', fault: 'malformed' }
      }
      // Only an everyday round can be tightened by it, and a list may have thousands of logs.
      if (group.members.length === 1 && this.#policy === 'everyday' && this.#policyFacts.mayTighten)
        this.#isOffChain ||= this.#question.isOffChain(group)
      record.group = group.index
      if (reply.kind === 'rejected') record.detail = reply.class
      return reply
    }
    if (reply.kind === 'behind') this.#behind = union(this.#behind, setOf(operator))
    if (reply.kind === 'fault') record.detail = reply.fault
    if ('unknown' in reply && reply.unknown !== undefined)
      this.#unable.push({ operator: setOf(operator), why: 'unknown', error: reply.unknown })
    if (reply.kind === 'unsupported') {
      record.detail = reply.why
      const { why, takes } = reply
      if (why === 'method' || why === 'pruned' || why === 'filter')
        this.#unable.push({ operator: setOf(operator), why })
      else if (takes !== undefined) this.#unable.push({ operator: setOf(operator), why: 'range', takes })
    }
    return reply
  }

  /**
   * The member to send to next, or null. An everyday round sends to no witness. A tightened round sends to an unusable node only if the usable
   * voters cannot decide without it. A node without a free slot is sent to only if `isNeeded`.
   */
  #nextMember(situation: RoundSituation, isNeeded: boolean): MemberIndex | null {
    const { strategy, electorates } = this.#question
    const { members } = this
    const needsUnusable =
      this.#policy !== 'tightened' || strategy.needsMore({ ...situation, electorate: electorates.degraded })
    for (let index = 0; index < members.length; index++) {
      const { operator, isUsable, isWitness } = members[index] as ReadMember
      if (this.#byMember[index] !== undefined || !contains(situation.remaining, operator)) continue
      if (this.#policy === 'everyday' ? isWitness : !isUsable && !needsUnusable) continue
      if (isNeeded || this.hasSlot(index as MemberIndex)) return index as MemberIndex
    }
    return null
  }

  /**
   * Once a witness has stalled, or any node of a protected round, all others are sent the call at once: the round is firm, thin or
   * failed after one more stall.
   */
  #mustFanOut({ remainingUsable }: RoundSituation): boolean {
    if (this.#policy === 'everyday' || isEmpty(remainingUsable)) return false
    const counts = ({ isWitness }: ReadMember) => isWitness || this.#policy !== 'tightened'
    return this.requests.some(
      ({ member, state }) => state === 'stalled' && counts(this.members[member] as ReadMember),
    )
  }

  /**
   * Tightens the round if a voter has stalled (its wait for a slot included), failed, or was outvoted, also on the block: its failure must not
   * make a quorum cheaper.
   */
  #tightenIfDoubtful(): void {
    const own = this.#policyFacts
    own.isDoubtful =
      own.mayTighten && (this.#isOffChain || this.requests.some(isFailing) || this.#isDisputed())
    this.#policy = nextStep('everyday', own) === 'tighten' ? 'tightened' : 'everyday'
  }

  #isDisputed(): boolean {
    return !this.#question.strategy.mayDiffer && this.#tally.groups.length > 1
  }

  #decided(situation: RoundSituation): Decided | null {
    const verdict = this.#question.strategy.decide(situation)
    switch (nextStep(this.#policy, this.#policySituation(verdict, situation))) {
      case 'accept':
        return { verdict: verdict as Verdict, isThin: false }
      case 'fail':
        return { verdict: this.#failure(verdict, situation), isThin: false }
      case 'degrade':
        return this.#degraded(verdict, situation)
      default:
        return null
    }
  }

  /** Something was said that nothing explains: those who are left tell whether a quorum says it. */
  #mayRefuse(situation: RoundSituation): boolean {
    if (isEmpty(situation.voted))
      return this.hasUnexplained() || this.requests.some(({ record }) => record.detail === 'malformed')
    return this.hasUnexplained() && mayRefuse({ ...situation, unable: this.#unable }, outstanding(situation))
  }

  #policySituation(verdict: Verdict | null, situation: RoundSituation): PolicySituation {
    const own = this.#policyFacts
    // The call is retried at the previous block, whatever the policy.
    own.isAgreed = verdict !== null && (verdict.kind === 'agreed' || verdict.rule.id === 'block-missing')
    own.isOpen = verdict === null
    own.isExhausted = isExhausted(situation)
    own.isAwaited = isAnyAwaited(situation)
    own.mayRefuse = this.#policy !== 'everyday' && this.#mayRefuse(situation)
    return own
  }

  #failure(verdict: Verdict | null, situation: RoundSituation): Verdict {
    if (this.#policy === 'everyday') return verdict as Verdict
    const isDisputed = this.#isDisputed() || isErrorDisputed({ ...situation, unable: this.#unable })
    return protectedFailure(verdict as Failed | null, situation, isDisputed)
  }

  #degraded(verdict: Verdict | null, situation: RoundSituation): Decided | null {
    const { strategy, electorates } = this.#question
    const degraded = degradedVerdict(strategy, situation, electorates)
    // Values that honest nodes report differently are tried one by one.
    if (degraded?.kind !== 'agreed' && verdict?.kind === 'failed' && verdict.rule.id === 'none-between')
      return { verdict, isThin: false }
    if (degraded?.kind !== 'agreed') return degraded && { verdict: degraded, isThin: false }
    return strategy.mayDiffer ||
      !isContradicted(degraded.operators, this.#contradicting, situation, electorates)
      ? { verdict: degraded, isThin: true }
      : { verdict: { kind: 'failed', rule: degraded.rule, reason: 'disagree' }, isThin: false }
  }

  #asOfNow(situation: RoundSituationNow): RoundSituation {
    const { electorates, mayRetryParent } = this.#question
    situation.electorate = electorates[this.#policy]
    situation.voted = this.#tally.voted
    if (mayRetryParent) situation.behind = this.#behind
    situation.withWitnesses = this.#policy !== 'everyday'
    noteProgress(situation, this.members, this.#byMember)
    return situation
  }

  #outcome({ verdict, isThin }: Decided): ReadOutcome {
    return {
      verdict,
      policy: this.#policy,
      isThin,
      electorate: this.#question.electorates[isThin ? 'degraded' : this.#policy],
      startMs: this.#startMs,
      endMs: this.clock.now(),
      requests: this.requests.map(({ record }) => record),
      groups: this.#tally.groups,
      behind: this.#behind,
      split: this.#tally.split,
      unable: this.#unable,
    }
  }
}

const tooThin: RuleName = { id: 'thin', label: 'too few nodes can be reached for a protected result' }

/** A tightened round by the everyday rule; without the operators that must vote, once these can support no result. */
function degradedVerdict(
  strategy: Strategy,
  situation: RoundSituation,
  { everyday, degraded }: Electorates,
): Verdict | null {
  const verdict = strategy.decide({ ...situation, electorate: everyday })
  const isOpen = verdict === null && !isExhausted(situation)
  return verdict?.kind === 'agreed' || isOpen
    ? verdict
    : strategy.decide({ ...situation, electorate: degraded })
}

/**
 * Whether a result that may only be thin is contradicted: by a witness that voted otherwise, or by another everyday quorum.
 * `contradicting`: operators whose results contradict an agreed block.
 */
function isContradicted(
  operators: OperatorSet,
  contradicting: OperatorSet,
  { voted, groups, isSuspicious }: RoundSituation,
  { everyday, degraded }: Electorates,
): boolean {
  const witnesses = difference(union(voted, contradicting), everyday.eligible)
  const electorate = isQuorum(everyday, operators) ? everyday : degraded
  const isRival = (group: ReplyGroup) =>
    isEmpty(intersection(group.operators, operators)) &&
    isQuorum(electorate, group.operators) &&
    !isSuspicious(group.variants[0]?.value)
  return !isEmpty(difference(witnesses, operators)) || groups.some(isRival)
}

/** Why a protected round has no result: nodes disagree, or too few of them can be reached. */
function protectedFailure(verdict: Failed | null, situation: RoundSituation, isDisputed: boolean): Failed {
  const isSilent = situation.groups.length === 0 && !isAnyAwaited(situation)
  if (verdict?.reason === 'disagree' || isSilent)
    return verdict ?? { kind: 'failed', rule: tooThin, reason: 'silent' }
  return { kind: 'failed', rule: tooThin, reason: isDisputed ? 'disagree' : 'thin' }
}
