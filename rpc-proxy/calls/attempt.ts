import type { Chain } from '../chain/chain.ts'
import type { EngineEvent, TraceContext } from '../events/events.ts'
import type { EstimateConfirmation, Evidence } from '../events/evidence-types.ts'
import { excerptsOf, isLong } from '../evidence/excerpt.ts'
import { evidenceOf } from '../evidence/read-evidence.ts'
import type { Pinned } from '../heads/pin.ts'
import { blockRefsOf } from '../methods/block-ref.ts'
import type { MethodSpec } from '../methods/method-spec.ts'
import { resultText } from '../methods/result-text.ts'
import { type Incapacity, incapacityOf } from '../quorum/incapacity.ts'
import { byParts } from '../quorum/multicall-parts.ts'
import type { ReadOutcome, ReadQuestion } from '../quorum/read-round.ts'
import type { Signal } from '../runtime/abort.ts'
import type { Callers } from '../runtime/callers.ts'
import type { Clock } from '../runtime/clock.ts'
import type { ReadMembers } from '../wire/read-ahead.ts'
import { contextOf } from './error-context.ts'
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

/** One round of a read, and its evidence. */
export interface Attempt {
  readonly rule: MethodSpec
  readonly outcome: ReadOutcome
  readonly evidence: Evidence
  readonly incapacity: Incapacity | null
  /** The round that confirmed an estimate. */
  readonly confirmingRound: ReadOutcome | null
}

/** The votes of a round, before they have their evidence. */
export interface CountedRound {
  /** The id of its evidence. */
  readonly id: string
  /** As nodes were sent them, JSON. */
  readonly params: string
  readonly outcome: ReadOutcome
}

/** What confirmed an estimate, beside its own round. */
interface Confirmed {
  readonly confirmingRound: ReadOutcome
  readonly confirmation: EstimateConfirmation
}

const auditShare = 0.01

/** One round of a read at the block to which it is pinned. `retry`: where its block is missing, another round may follow. */
export async function runAttempt(
  chain: Chain,
  read: ReadRequest,
  ports: ReadPorts,
  retry: 'may-go-lower' | 'last',
): Promise<Attempt> {
  return concluded(chain, read, await counted(chain, read, ports, retry), ports)
}

export async function counted(
  chain: Chain,
  read: ReadRequest,
  ports: ReadPorts,
  retry: 'may-go-lower' | 'last',
): Promise<CountedRound> {
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
  const outcome = await chain.read({
    id,
    rule,
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
    mayGoLower: retry === 'may-go-lower' && pinned.at !== null,
    deadlineMs: endMs - clock.now(),
    audit: random() < auditShare,
    signal,
    trace,
    ...(first !== undefined && { first }),
  })
  return { id, params: sent, outcome }
}

/** The evidence of a round, which the observers are told. */
export async function concluded(
  chain: Chain,
  { rule, pinned }: ReadRequest,
  { id, params: sent, outcome: whole }: CountedRound,
  { clock, emit }: ReadPorts,
  confirmed: Confirmed | null = null,
): Promise<Attempt> {
  const { params, block } = pinned
  const outcome = confirmed === null ? byParts(whole, rule, params) : whole
  const excerpts = isLong(outcome) ? await excerptsOf(outcome, pauseOf(clock)) : null
  const incapacity = incapacityOf(outcome)
  const { policy, isThin } = outcome
  // A thin result is measured by what it lacks.
  const electorate = chain.electorates[policy]
  const about = {
    ...{ id, chainId: chain.config.id, method: rule.method, params: sent, block },
    ...{ electorate, policy, isThin },
  }
  const evidence = {
    ...evidenceOf(outcome, about, excerpts),
    ...(incapacity?.why === 'pruned' && { reason: incapacity.why }),
    ...(confirmed !== null && { confirmation: confirmed.confirmation }),
  }
  emit({ type: 'verdict', evidence })
  return { rule, outcome, evidence, incapacity, confirmingRound: confirmed?.confirmingRound ?? null }
}
