import type { Chain } from '../chain/chain.ts'
import type { Evidence, PinnedBlock } from '../events/evidence-types.ts'
import { QuorumError } from '../evidence/quorum-error.ts'
import type { Head } from '../heads/heads.ts'
import type { Pinned } from '../heads/pin.ts'
import { namedNumber } from '../methods/result-text.ts'
import { isQuorum } from '../quorum/electorate.ts'
import { isEmpty, noOperators, type OperatorSet, unionOf } from '../quorum/operator-set.ts'
import type { ReadOutcome } from '../quorum/read-round.ts'
import { shortfallOf } from '../quorum/recount.ts'
import { couldBeQuorumWith } from '../quorum/situation.ts'
import type { AgreedVerdict } from '../quorum/verdict.ts'
import { within } from '../runtime/clock.ts'
import { CallError } from '../runtime/errors.ts'
import { andThen, type Soon } from '../runtime/soon.ts'
import type { RejectionClass } from '../wire/types.ts'
import { type Attempt, type ReadPorts, type ReadRequest, runAttempt } from './attempt.ts'
import { assertAllowed, confirmationSpec, gasMaxOf } from './estimate.ts'
import { rawOf } from './long-result.ts'
import { strategyOf } from './strategies.ts'
import { isOffChain } from './suspicion.ts'

/** What a quorum said: a result's JSON text, or the chain's refusal to give one. */
export type ReadResult =
  | { readonly raw: string }
  | { readonly reverted: string }
  | { readonly rejected: RejectionClass }

/** A read that came to an agreement. */
export interface ReadAgreement {
  readonly result: ReadResult
  readonly evidence: Evidence
  /** Operators behind it. */
  readonly operators: OperatorSet
  /** Operators none of whom it can do without: it was put together of what they said. Empty where all sent the same bytes. */
  readonly essential: OperatorSet
  /** It names a block at whose number we have agreed on another hash. */
  readonly isOffChain: boolean
  /** Number of the agreed block, or of the one that an agreed transaction or receipt is in; null for everything else. */
  readonly namedNumber: number | null
  /** That of the evidence, which loses it when it is cached. */
  readonly proof?: Evidence['proof']
}

/**
 * Sends one read to the nodes of a chain and returns what a quorum of them agrees on. There is a second round at most: at the
 * previous block where a quorum lacks the block, and again where the block has changed by the verdict, or the result names another
 * branch than ours.
 */
export async function readByQuorum(
  chain: Chain,
  wanted: ReadRequest,
  ports: ReadPorts,
): Promise<ReadAgreement> {
  let read = wanted
  let attempt = await runAttempt(chain, read, ports, 'may-retry-parent')
  const soon = retryAt(chain, read, attempt, ports)
  const pinned = soon instanceof Promise ? await soon : soon
  if (pinned !== null) {
    read = { ...wanted, pinned }
    attempt = await runAttempt(chain, read, ports, 'last')
  }
  return agreedOn(chain, read, attempt, ports)
}

/** Where another round is needed, and at which block; null where there is none. */
function retryAt(
  chain: Chain,
  read: ReadRequest,
  { outcome }: Attempt,
  ports: ReadPorts,
): Soon<Pinned | null> {
  const { block, at } = read.pinned
  const { behind, groups, verdict, electorate } = outcome
  if (verdict.kind === 'failed') {
    // A tag may fall back to the previous block; an explicit number may not.
    const isAhead =
      isQuorum(electorate, behind) ||
      (at !== null && !isEmpty(behind) && couldBeQuorumWith(behind, groups, electorate))
    if (!isAhead) return null
    const lower = block === null || at === null ? null : chain.heads.below(block.number)
    if (at === null || lower === null) throw new CallError('block-not-found')
    return at(lower)
  }
  if (block?.hash == null) return null
  const hash = chain.heads.lastHashAt(block.number)
  if (hash !== block.hash) return retryOnBranch(chain, read, { number: block.number, hash })
  return isOffChain(chain, read.rule, verdict.group) ? retryAfterPoll(chain, read, block.number, ports) : null
}

/** The result names another branch than ours: the heads are polled first. */
async function retryAfterPoll(
  chain: Chain,
  read: ReadRequest,
  number: number,
  { clock }: ReadPorts,
): Promise<Pinned> {
  await within(clock, read.endMs - clock.now(), chain.heads.poll()).catch(() => {})
  return retryOnBranch(chain, read, { number, hash: chain.heads.lastHashAt(number) })
}

/** A reorg took the block that a tag stood for, or those who showed it are not believed: it stands for another one now. */
async function retryOnBranch(
  chain: Chain,
  { pinned, endMs }: ReadRequest,
  block: PinnedBlock,
): Promise<Pinned> {
  const head = block.hash === null && pinned.at !== null ? await headNow(chain, pinned, endMs) : null
  return pinned.at?.(head?.block ?? block) ?? { ...pinned, block }
}

/** What its tag stands for now. */
function headNow(chain: Chain, { finality }: Pinned, endMs: number): Soon<Head | null> {
  return finality === undefined ? chain.heads.current() : chain.finality(finality, endMs)
}

function agreedOn(
  chain: Chain,
  { rule, pinned }: ReadRequest,
  attempt: Attempt,
  ports: ReadPorts,
): Soon<ReadAgreement> {
  const { outcome, evidence, incapacity } = attempt
  const { verdict } = outcome
  if (verdict.kind === 'failed') throw new QuorumError(evidence, incapacity)
  assertQuorum(attempt, ports)
  if (rule.strategy === 'estimate' && verdict.raw !== null)
    assertAllowed(verdict.raw, gasMaxOf(chain, rule, pinned))
  const { group, operators } = verdict
  const agreementOn = (result: ReadResult): ReadAgreement => ({
    result,
    evidence,
    operators,
    essential: essentialOf(outcome, verdict),
    isOffChain: isOffChain(chain, rule, group),
    namedNumber: verdict.raw === null ? namedNumber(rule, group.variants[0]?.value) : null,
  })
  if (group.kind === 'reverted') return agreementOn({ reverted: group.text })
  if (group.kind === 'rejected') return agreementOn({ rejected: group.text as RejectionClass })
  if (verdict.raw !== null) return agreementOn({ raw: verdict.raw })
  const { chainId } = evidence
  return andThen(rawOf(rule, group, outcome.electorate, { chainId, clock: ports.clock }), (raw) =>
    agreementOn({ raw }),
  )
}

function essentialOf({ groups }: ReadOutcome, { raw, group, operators }: AgreedVerdict): OperatorSet {
  if (raw !== null) return unionOf([operators, ...groups.map((each) => each.operators)])
  return group.variants.length > 1 ? operators : noOperators
}

/** Counted once more: no answer leaves that is not carried by a quorum. */
function assertQuorum({ rule, outcome, evidence, confirmingRound }: Attempt, { emit }: ReadPorts): void {
  // An estimate is carried by those that confirmed it.
  const carrying = confirmingRound === null ? rule : confirmationSpec
  const strategy = strategyOf(carrying, evidence.chainId)
  const counted = confirmingRound ?? outcome
  const shortfall = shortfallOf(strategy, counted.electorate, counted)
  if (shortfall === null) return
  const detail = `answer ${evidence.id}: ${shortfall}`
  emit({ type: 'breach', chainId: evidence.chainId, invariant: 'S1', detail })
  throw new CallError('breach', { detail })
}
