import type { Chain } from '../chain/chain.ts'
import type { EngineEvent, TraceContext } from '../events/events.ts'
import type { EstimateConfirmation, Evidence, FailureReason } from '../events/evidence-types.ts'
import { excerptsOf, isLong } from '../evidence/excerpt.ts'
import { type EvidenceAbout, evidenceOf } from '../evidence/read-evidence.ts'
import type { Pinned } from '../heads/pin.ts'
import { blockRefsOf, hexOf } from '../methods/block-ref.ts'
import type { MethodSpec } from '../methods/method-spec.ts'
import { resultText } from '../methods/result-text.ts'
import { type Incapacity, incapacityOf } from '../quorum/incapacity.ts'
import { byParts } from '../quorum/multicall-parts.ts'
import { numberOf } from '../quorum/numbers.ts'
import { isEmpty } from '../quorum/operator-set.ts'
import type { ReadOutcome, ReadQuestion } from '../quorum/read-round.ts'
import type { ReplyGroup } from '../quorum/reply-tally.ts'
import { accept, type RuleName } from '../quorum/verdict.ts'
import type { Signal } from '../runtime/abort.ts'
import type { Callers } from '../runtime/callers.ts'
import type { Clock } from '../runtime/clock.ts'
import type { ReadMembers } from '../wire/read-ahead.ts'
import { contextOf } from './error-context.ts'
import { confirmationSpec, gasMaxOf, withGas } from './estimate.ts'
import { pauseOf, readLong } from './long-result.ts'
import { strategyOf } from './strategies.ts'
import { isOffChain, suspicionOf } from './suspicion.ts'

export interface ReadPorts {
  readonly clock: Clock
  readonly nextId: () => string
  readonly random: () => number
  readonly emit: (event: EngineEvent) => void
}

/** A read, as it is put to the nodes of a chain. */
export interface ReadRequest {
  readonly rule: MethodSpec
  readonly pinned: Pinned
  readonly policy: ReadQuestion['policy']
  /** When the request must have been answered, epoch milliseconds. */
  readonly endMs: number
  readonly signal: Signal | null
  readonly callers: Callers
  /** The trace of the request that asks first; null where nothing is traced. */
  readonly trace: TraceContext | null
  /** Nodes that come before all others. */
  readonly first?: ReadonlySet<string>
}

/** One round of a read, with what confirmed an estimate, and its evidence. */
export interface Attempt {
  readonly rule: MethodSpec
  readonly outcome: ReadOutcome
  readonly evidence: Evidence
  readonly incapacity: Incapacity | null
  /** The round that confirmed an estimate. */
  readonly confirmingRound: ReadOutcome | null
}

/** Whether another round may follow where the block is missing. */
export type Retry = 'may-retry-parent' | 'last'

/** Why there is no result, where that is said in place of `silent`. */
const reasons: Readonly<Partial<Record<Incapacity['why'], FailureReason>>> = {
  pruned: 'pruned',
  unknown: 'refused',
  malformed: 'malformed',
}

const auditShare = 0.01

/** One round of a read at the block to which it is pinned, and those that confirm what it estimates. The observers are told. */
export async function runAttempt(
  chain: Chain,
  read: ReadRequest,
  ports: ReadPorts,
  retry: Retry,
): Promise<Attempt> {
  const { rule, pinned, policy, endMs, signal, callers, trace, first } = read
  const { clock, nextId, random } = ports
  const { params, block } = pinned
  const chainId = chain.config.id
  const id = nextId()
  const sent = JSON.stringify(params)
  const strategy = strategyOf(rule, chainId)
  const textOf = (value: unknown, ahead?: ReadMembers) => {
    const text = resultText(rule, params, value, { chainId, ahead, blocks: chain.agreedBlocks })
    return typeof text === 'string' ? (strategy.commonText ?? text) : text
  }
  const voted = await chain.read({
    id,
    spec: rule,
    call: {
      method: rule.method,
      params: sent,
      context: contextOf(rule, pinned, chain.heads),
      callers,
    },
    block,
    electorates: chain.electorates,
    policy,
    strategy,
    textOf,
    readAhead: (raw) => readLong(raw, { shape: rule.shape, chainId, clock, textOf }),
    isSuspicious: suspicionOf(chain, rule, params),
    // A caller may name any block by its hash.
    isOffChain: (group) =>
      isOffChain(chain, rule, group, block) && !blockRefsOf(rule, params).some((ref) => 'hash' in ref),
    mayRetryParent: retry === 'may-retry-parent' && pinned.at !== null,
    deadlineMs: endMs - clock.now(),
    audit: random() < auditShare,
    signal,
    trace,
    ...(first !== undefined && { first }),
  })
  const confirmed = voted.verdict.rule.id === 'none-between' ? await confirm(chain, read, voted, ports) : null
  const outcome = confirmed === null ? byParts(voted, rule, params) : confirmed.outcome
  const excerpts = isLong(outcome) ? await excerptsOf(outcome, pauseOf(clock)) : null
  const incapacity = incapacityOf(outcome)
  const reason = incapacity === null ? undefined : reasons[incapacity.why]
  const about: EvidenceAbout = {
    id,
    chainId,
    method: rule.method,
    params: sent,
    block,
    // A thin result is measured by what it lacks.
    electorate: chain.electorates[outcome.policy],
    policy: outcome.policy,
    isThin: outcome.isThin,
    ...(reason !== undefined && { reason }),
    ...(confirmed !== null && { confirmation: confirmed.confirmation }),
  }
  const evidence = evidenceOf(outcome, about, excerpts)
  ports.emit({ type: 'verdict', evidence })
  return { rule, outcome, evidence, incapacity, confirmingRound: confirmed?.confirmingRound ?? null }
}

interface Confirmed {
  /** What was reported, decided. */
  readonly outcome: ReadOutcome
  /** The round that decided it. */
  readonly confirmingRound: ReadOutcome
  readonly confirmation: EstimateConfirmation
}

const confirmationsMax = 8

const confirmedRule: RuleName = {
  id: 'confirmed',
  label: 'a quorum agrees that the call succeeds with this gas',
}

/**
 * The smallest of the reported values with which a quorum agrees that the call succeeds, at the same block; the nodes that
 * reported one come first. Null when there is none among the first eight.
 */
async function confirm(
  chain: Chain,
  read: ReadRequest,
  reported: ReadOutcome,
  ports: ReadPorts,
): Promise<Confirmed | null> {
  const { rule, pinned, endMs } = read
  const first = new Set(reported.requests.filter(({ group }) => group !== null).map(({ node }) => node))
  for (const group of candidates(reported, gasMaxOf(chain, rule, pinned)).slice(0, confirmationsMax)) {
    if (ports.clock.now() >= endMs) return null
    const gas = numberOf(group)
    const at = { ...pinned, params: withGas(pinned.params, gas) }
    const attempt = await runAttempt(
      chain,
      { ...read, rule: confirmationSpec, pinned: at, first },
      ports,
      'last',
    )
    const { verdict, endMs: confirmedMs, policy, isThin, electorate } = attempt.outcome
    if (verdict.kind === 'failed' || verdict.group.kind !== 'result') continue
    const accepted = {
      ...accept(group, confirmedRule),
      operators: verdict.operators,
      raw: `"${hexOf(gas)}"`,
    }
    const outcome = { ...reported, endMs: confirmedMs, verdict: accepted, policy, isThin, electorate }
    return { outcome, confirmingRound: attempt.outcome, confirmation: confirmationOf(attempt, hexOf(gas)) }
  }
  return null
}

const textCharsMax = 200

/** What calls return may be long and is not compared: it is not shown. */
function confirmationOf({ outcome, evidence: { id, groups } }: Attempt, gas: string): EstimateConfirmation {
  const textOf = (text: string, index: number) =>
    outcome.groups[index]?.kind === 'result' ? 'succeeds' : text.slice(0, textCharsMax)
  return { id, gas, groups: groups.map((group, index) => ({ ...group, text: textOf(group.text, index) })) }
}

function candidates({ groups }: ReadOutcome, gasMax: bigint): readonly ReplyGroup[] {
  return groups
    .filter((group) => group.kind === 'result' && !isEmpty(group.operators) && numberOf(group) <= gasMax)
    .sort((a, b) => (numberOf(a) < numberOf(b) ? -1 : 1))
}
