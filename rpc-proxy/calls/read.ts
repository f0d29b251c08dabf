import type { Chain } from '../chain/chain.ts'
import type { ReadPorts } from '../chain/send-read.ts'
import type { PinnedBlock } from '../events/evidence-types.ts'
import { QuorumError } from '../evidence/quorum-error.ts'
import type { Pinned } from '../heads/pin.ts'
import { type CallObject, intrinsicGas } from '../methods/call-object.ts'
import { type MethodSpec, namedNumber } from '../methods/method-spec.ts'
import { revertMessage } from '../methods/revert-reason.ts'
import { isEmpty, isQuorum, noOperators, type OperatorSet, unionOf } from '../quorum/electorate.ts'
import type { ReadOutcome } from '../quorum/read-round.ts'
import { shortfallOf } from '../quorum/recount.ts'
import { rawOf } from '../quorum/tally.ts'
import { type AgreedVerdict, couldBeQuorumWith } from '../quorum/verdict.ts'
import { andThen, type Soon, within } from '../runtime/clock.ts'
import { CallError } from '../runtime/errors.ts'
import { type RejectionClass, rejectionText } from '../wire/rejections.ts'
import {
  Attempt,
  type AttemptResult,
  assertAllowed,
  confirmationSpec,
  gasMaxOf,
  isOffChain,
  type ReadRequest,
  strategyOf,
} from './attempt.ts'
import type { CallResult, ReadAgreement, ReadResult } from './services.ts'

/**
 * Sends one read to the nodes of a chain and returns what a quorum of them agrees on. There are at most two rounds: the second is at the
 * previous block where a quorum lacks this one, or at the block that has replaced it where a reorg came before the verdict.
 */
export async function readByQuorum(
  chain: Chain,
  wanted: ReadRequest,
  ports: ReadPorts,
): Promise<ReadAgreement> {
  let attempt = new Attempt(chain, wanted, ports, 'may-retry-parent')
  let soon = attempt.conclude(await attempt.votes())
  let result = soon instanceof Promise ? await soon : soon
  let read = wanted
  const retry = retryAt(chain, read, result, ports)
  const pinned = retry instanceof Promise ? await retry : retry
  if (pinned !== null) {
    read = { ...wanted, pinned }
    attempt = new Attempt(chain, read, ports, 'last')
    soon = attempt.conclude(await attempt.votes())
    result = soon instanceof Promise ? await soon : soon
  }
  return agreedOn(chain, read, result, ports)
}

/** Where another round is needed, and at which block; null where there is none. */
function retryAt(
  chain: Chain,
  read: ReadRequest,
  { outcome }: AttemptResult,
  ports: ReadPorts,
): Soon<Pinned | null> {
  const { block, at } = read.pinned
  const { behind, groups, verdict, electorate } = outcome
  const hash = block === null ? null : chain.heads.agreed.lastHashAt(block.number)
  const isReplaced = block?.hash != null && block.hash !== hash
  // Without a quorum nodes may have voted on either of two branches.
  if (isReplaced && (verdict.kind === 'agreed' || ports.clock.now() < read.endMs))
    return retryOnBranch(chain, read, { number: block.number, hash })
  if (verdict.kind === 'failed') {
    // A tag may fall back to the previous block; an explicit number may not.
    const isAhead =
      isQuorum(electorate, behind) ||
      (at !== null && !isEmpty(behind) && couldBeQuorumWith(behind, groups, electorate))
    if (!isAhead) return null
    const lower = block === null || at === null ? null : chain.heads.agreed.below(block.number)
    if (at === null || lower === null) throw new CallError('block-not-found')
    return at(lower)
  }
  if (block?.hash == null) return null
  return isOffChain(chain, read.spec, verdict.group) ? retryAfterPoll(chain, read, block.number, ports) : null
}

/** The result names another branch than ours: the heads are polled first. */
async function retryAfterPoll(
  chain: Chain,
  read: ReadRequest,
  number: number,
  { clock }: ReadPorts,
): Promise<Pinned> {
  await within(clock, read.endMs - clock.now(), chain.heads.poll()).catch(() => {})
  return retryOnBranch(chain, read, { number, hash: chain.heads.agreed.lastHashAt(number) })
}

/** A reorg replaced the block that a tag stood for, or the nodes that showed it are distrusted: the tag stands for another block now. */
async function retryOnBranch(
  chain: Chain,
  { pinned, endMs }: ReadRequest,
  block: PinnedBlock,
): Promise<Pinned> {
  const { at, finality } = pinned
  if (at === null) return { ...pinned, block }
  if (block.hash !== null) return at(block)
  const head = finality === undefined ? chain.heads.current() : await chain.finality(finality, endMs)
  return at(head?.block ?? block)
}

function agreedOn(
  chain: Chain,
  { spec, pinned }: ReadRequest,
  attempt: AttemptResult,
  ports: ReadPorts,
): Soon<ReadAgreement> {
  const { outcome, evidence, incapacity } = attempt
  const { verdict } = outcome
  if (verdict.kind === 'failed') throw new QuorumError(evidence, incapacity)
  assertQuorum(attempt, ports)
  if (spec.strategy === 'estimate' && verdict.raw !== null)
    assertAllowed(verdict.raw, gasMaxOf(chain, spec, pinned))
  const { group, operators } = verdict
  const agreementOn = (result: ReadResult): ReadAgreement => ({
    result,
    evidence,
    operators,
    indispensable: indispensableOf(outcome, verdict),
    isOffChain: isOffChain(chain, spec, group),
    namedNumber: verdict.raw === null ? namedNumber(spec, group.variants[0]?.value) : null,
  })
  if (group.kind === 'reverted') return agreementOn({ reverted: group.text })
  if (group.kind === 'rejected') return agreementOn({ rejected: group.text as RejectionClass })
  // The evidence already has the text of a derived result.
  if (typeof evidence.result === 'string') return agreementOn({ raw: evidence.result })
  const { chainId } = evidence
  return andThen(rawOf(spec, group, outcome.electorate, { chainId, clock: ports.clock }), (raw) =>
    agreementOn({ raw }),
  )
}

function indispensableOf({ groups }: ReadOutcome, { raw, group, operators }: AgreedVerdict): OperatorSet {
  if (raw !== null) return unionOf([operators, ...groups.map((each) => each.operators)])
  return group.variants.length > 1 ? operators : noOperators
}

/** Counts the votes once more: nothing is returned that a quorum does not support. */
function assertQuorum(
  { spec, outcome, evidence, confirmingRound }: AttemptResult,
  { emit }: ReadPorts,
): void {
  // An estimate is supported by the nodes that confirmed it.
  const carrying = confirmingRound === null ? spec : confirmationSpec
  const strategy = strategyOf(carrying, evidence.chainId)
  const carryingRound = confirmingRound ?? outcome
  const shortfall = shortfallOf(strategy, carryingRound.electorate, carryingRound)
  if (shortfall === null) return
  const detail = `answer ${evidence.id}: ${shortfall}`
  emit({ type: 'breach', chainId: evidence.chainId, invariant: 'S1', detail })
  throw new CallError('breach', { detail })
}

/** What a caller reads of an agreement: the result, or the agreed revert or refusal as an error in geth's words. */
export function outcomeOf(
  result: ReadResult,
  spec: MethodSpec,
  params: readonly unknown[],
): CallResult['outcome'] {
  if ('raw' in result) return result
  if ('reverted' in result)
    return {
      error: new CallError('reverted', { message: revertMessage(result.reverted), data: result.reverted })
        .error,
    }
  const message = rejectionText(result.rejected)
  const details = result.rejected === 'intrinsic-gas-too-low' ? shortfall(params[0]) : ''
  const { error } = new CallError('refused', { message: `${message}${details}` })
  return { error: { ...error, code: spec.rejectionCodes?.get(result.rejected) ?? error.code } }
}

/** How much gas the call has and needs, where that explains a quorum's refusal. */
function shortfall(target: unknown): string {
  if (typeof target !== 'object' || target === null || !('gas' in target)) return ''
  const call = target as CallObject
  const [have, want] = [Number(call.gas), intrinsicGas(call)]
  return have < want ? `: have ${have}, want ${want}` : ''
}
