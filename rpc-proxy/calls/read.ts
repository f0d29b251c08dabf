import type { Chain } from '../chain/chain.ts'
import type { Evidence } from '../events/evidence-types.ts'
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
import type { RejectionClass } from '../wire/types.ts'
import { type Attempt, concluded, counted, type ReadPorts, type ReadRequest } from './attempt.ts'
import { confirm } from './confirm.ts'
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
  const first = await confirmedAttempt(chain, wanted, ports, 'may-go-lower')
  const pinned = await retryAt(chain, wanted, first, ports)
  if (pinned === null) return agreedOn(chain, wanted, first, ports)
  const moved = { ...wanted, pinned }
  return agreedOn(chain, moved, await confirmedAttempt(chain, moved, ports, 'last'), ports)
}

/** One round; where it reports estimates that need to be confirmed, the rounds that confirm them as well. */
async function confirmedAttempt(
  chain: Chain,
  wanted: ReadRequest,
  ports: ReadPorts,
  retry: 'may-go-lower' | 'last',
): Promise<Attempt> {
  const round = await counted(chain, wanted, ports, retry)
  if (round.outcome.verdict.rule.id !== 'none-between') return concluded(chain, wanted, round, ports)
  const confirmed = await confirm(chain, wanted, round.outcome, ports)
  if (confirmed === null) return concluded(chain, wanted, round, ports)
  return concluded(chain, wanted, { ...round, outcome: confirmed.outcome }, ports, confirmed)
}

/** Where another round is needed, and at which block; null where there is none. */
async function retryAt(
  chain: Chain,
  { rule, pinned, endMs }: ReadRequest,
  { outcome }: Attempt,
  { clock }: ReadPorts,
): Promise<Pinned | null> {
  const { block, at } = pinned
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
  const before = chain.heads.lastHashAt(block.number)
  const isElsewhere = before === block.hash && isOffChain(chain, rule, verdict.group)
  if (isElsewhere) await within(clock, endMs - clock.now(), chain.heads.poll()).catch(() => {})
  const hash = isElsewhere ? chain.heads.lastHashAt(block.number) : before
  if (!isElsewhere && hash === block.hash) return null
  // A reorg took the block that a tag stood for, or those who showed it are not believed: it stands for another one now.
  const head = hash === null && at !== null ? await headNow(chain, pinned, endMs) : null
  const here = { number: block.number, hash }
  return at?.(head?.block ?? here) ?? { ...pinned, block: here }
}

/** What its tag stands for now. */
function headNow(chain: Chain, { finality }: Pinned, endMs: number): Head | null | Promise<Head> {
  return finality === undefined ? chain.heads.current() : chain.finality(finality, endMs)
}

async function agreedOn(
  chain: Chain,
  { rule, pinned }: ReadRequest,
  attempted: Attempt,
  ports: ReadPorts,
): Promise<ReadAgreement> {
  const { outcome, evidence, incapacity } = attempted
  const { verdict } = outcome
  if (verdict.kind === 'failed') throw new QuorumError(evidence, incapacity)
  assertQuorum(attempted, ports)
  if (rule.strategy === 'estimate' && verdict.raw !== null)
    assertAllowed(verdict.raw, gasMaxOf(chain, rule, pinned))
  const { group, operators } = verdict
  const rest = {
    evidence,
    operators,
    essential: essentialOf(outcome, verdict),
    isOffChain: isOffChain(chain, rule, group),
    namedNumber: verdict.raw === null ? namedNumber(rule, group.variants[0]?.value) : null,
  }
  if (group.kind === 'reverted') return { result: { reverted: group.text }, ...rest }
  if (group.kind === 'rejected') return { result: { rejected: group.text as RejectionClass }, ...rest }
  return {
    result: {
      raw:
        verdict.raw ??
        (await rawOf(rule, group, outcome.electorate, { chainId: evidence.chainId, clock: ports.clock })),
    },
    ...rest,
  }
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
