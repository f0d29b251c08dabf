import type { Chain } from '../chain/chain.ts'
import type { ChainRead } from '../chain/send-read.ts'
import type { TraceContext } from '../events/events.ts'
import type { EstimateConfirmation, Evidence, FailureReason, PinnedBlock } from '../events/evidence-types.ts'
import { evidenceOf } from '../evidence/build.ts'
import { excerptsOf, isLong } from '../evidence/excerpt.ts'
import type { Heads } from '../heads/heads.ts'
import type { Pinned } from '../heads/pin.ts'
import { blockRefsOf, hexOf } from '../methods/block-ref.ts'
import type { MethodSpec } from '../methods/method-spec.ts'
import { resultText } from '../methods/result-text.ts'
import { type Incapacity, incapacityOf } from '../quorum/incapacity.ts'
import { byParts } from '../quorum/multicall-parts.ts'
import { numberOf } from '../quorum/numbers.ts'
import { isEmpty } from '../quorum/operator-set.ts'
import type { ReadOutcome, ReadQuestion } from '../quorum/read-round.ts'
import type { CanonicalText, ParsedResult, ReplyGroup } from '../quorum/reply-tally.ts'
import { accept, type RuleName, type Strategy } from '../quorum/verdict.ts'
import type { Signal } from '../runtime/abort.ts'
import type { Callers } from '../runtime/callers.ts'
import type { Soon } from '../runtime/soon.ts'
import type { ErrorContext } from '../upstreams/errors/error-pattern.ts'
import type { NodeCall } from '../upstreams/post-calls.ts'
import type { ReadMembers } from '../wire/read-ahead.ts'
import { confirmationSpec, gasMaxOf, namesGas, withGas } from './estimate.ts'
import { pauseOf, readLong } from './long-result.ts'
import type { ReadPorts } from './services.ts'
import { strategyOf } from './strategies.ts'
import { isOffChain, suspicionOf } from './suspicion.ts'

/** A read, as it is put to the nodes of a chain. */
export interface ReadRequest {
  readonly spec: MethodSpec
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

/** How a round of a read ended, with what confirmed an estimate, and its evidence. */
export interface AttemptResult {
  readonly spec: MethodSpec
  readonly outcome: ReadOutcome
  readonly evidence: Evidence
  readonly incapacity: Incapacity | null
  /** The round that confirmed an estimate. */
  readonly confirmingRound: ReadOutcome | null
}

/** Whether another round may follow where the block is missing. */
type Retry = 'may-retry-parent' | 'last'

/** Why there is no result, where that is said in place of `silent`. */
const reasons: Readonly<Partial<Record<Incapacity['why'], FailureReason>>> = {
  pruned: 'pruned',
  unknown: 'refused',
  malformed: 'malformed',
}

const auditShare = 0.01

/** One round of a read at the block to which it is pinned, and those that confirm what it estimates. */
export class Attempt implements ChainRead {
  readonly id: string
  readonly spec: MethodSpec
  readonly call: NodeCall
  readonly block: PinnedBlock | null
  readonly electorates: Chain['electorates']
  readonly policy: ReadQuestion['policy']
  readonly strategy: Strategy
  readonly isSuspicious: (value: unknown) => boolean
  readonly mayRetryParent: boolean
  readonly deadlineMs: number
  readonly audit: boolean
  readonly signal: Signal | null
  readonly trace: TraceContext | null
  readonly first: ReadonlySet<string> | null
  readonly #chain: Chain
  readonly #request: ReadRequest
  readonly #ports: ReadPorts

  constructor(chain: Chain, request: ReadRequest, ports: ReadPorts, retry: Retry) {
    const { spec, pinned, policy, endMs, signal, callers, trace, first = null } = request
    const { method } = spec
    this.#chain = chain
    this.#request = request
    this.#ports = ports
    this.id = ports.nextId()
    this.spec = spec
    this.call = {
      method,
      params: JSON.stringify(pinned.params),
      context: contextOf(spec, pinned, chain.heads),
      callers,
    }
    this.block = pinned.block
    this.electorates = chain.electorates
    this.policy = policy
    this.strategy = strategyOf(spec, chain.config.id)
    this.isSuspicious = suspicionOf(chain, spec, pinned.params)
    this.mayRetryParent = retry === 'may-retry-parent' && pinned.at !== null
    this.deadlineMs = endMs - ports.clock.now()
    this.audit = ports.random() < auditShare
    this.signal = signal
    this.trace = trace
    this.first = first
  }

  textOf(value: unknown, ahead?: ReadMembers): ReturnType<CanonicalText> {
    const { config, agreedBlocks } = this.#chain
    const options = { chainId: config.id, ahead, blocks: agreedBlocks }
    const text = resultText(this.spec, this.#request.pinned.params, value, options)
    return typeof text === 'string' ? (this.strategy.commonText ?? text) : text
  }

  readAhead(raw: string): Promise<ParsedResult | null> {
    const textOf = (value: unknown, ahead: ReadMembers) => this.textOf(value, ahead)
    return readLong(raw, {
      ...{ shape: this.spec.shape, chainId: this.#chain.config.id },
      ...{ clock: this.#ports.clock, textOf },
    })
  }

  isOffChain(group: ReplyGroup): boolean {
    const { spec, block } = this
    // A caller may name any block by its hash.
    const isNamed = () => blockRefsOf(spec, this.#request.pinned.params).some((ref) => 'hash' in ref)
    return isOffChain(this.#chain, spec, group, block) && !isNamed()
  }

  /** Sends it to the nodes, and waits for their verdict. */
  votes(): Promise<ReadOutcome> {
    return this.#chain.read(this)
  }

  /** What the verdict comes to. The observers are told. */
  conclude(voted: ReadOutcome): Soon<AttemptResult> {
    if (voted.verdict.rule.id === 'none-between') return this.#confirmed(voted)
    return this.#resultOf(byParts(voted, this.spec, this.#request.pinned.params))
  }

  async #confirmed(voted: ReadOutcome): Promise<AttemptResult> {
    const confirmed = await confirm(this.#chain, this.#request, voted, this.#ports)
    return this.#resultOf(confirmed?.outcome ?? voted, confirmed)
  }

  #resultOf(outcome: ReadOutcome, confirmed: Confirmed | null = null): Soon<AttemptResult> {
    return isLong(outcome)
      ? excerptsOf(outcome, pauseOf(this.#ports.clock)).then((excerpts) =>
          this.#withEvidence(outcome, confirmed, excerpts),
        )
      : this.#withEvidence(outcome, confirmed)
  }

  #withEvidence(
    outcome: ReadOutcome,
    confirmed: Confirmed | null,
    excerpts: Parameters<typeof evidenceOf>[2] = null,
  ): AttemptResult {
    const { spec, call, block, electorates } = this
    const incapacity = incapacityOf(outcome)
    const reason = incapacity === null ? null : (reasons[incapacity.why] ?? null)
    const about = {
      id: this.id,
      chainId: this.#chain.config.id,
      method: call.method,
      params: call.params,
      block,
      // A thin result is measured by what it lacks.
      electorate: electorates[outcome.policy],
      reason,
      confirmation: confirmed?.confirmation,
    }
    const evidence = evidenceOf(outcome, about, excerpts)
    this.#ports.emit({ type: 'verdict', evidence })
    return { spec, outcome, evidence, incapacity, confirmingRound: confirmed?.confirmingRound ?? null }
  }
}

/** What a read lets a node's error mean. */
function contextOf(spec: MethodSpec, pinned: Pinned, heads: Pick<Heads, 'lowest'>): ErrorContext {
  return {
    executes: spec.executes,
    sends: false,
    gasGiven: namesGas(pinned.params),
    ranges: spec.pin === 'range',
    callerControlled: isCallerControlled(spec, pinned, heads),
    atBlock: pinned.block !== null,
  }
}

/** Whether the caller decides how much work the call is, or how large its answer: all but fixed reads at a recent agreed block. */
function isCallerControlled(
  { isFixed, pin }: MethodSpec,
  { params, block }: Pinned,
  heads: Pick<Heads, 'lowest'>,
): boolean {
  const isRecent = block?.hash != null && block.number >= heads.lowest()
  return isFixed?.(params) !== true || (pin !== 'none' && !isRecent)
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
  const { spec, pinned, endMs } = read
  const first = new Set(reported.requests.filter(({ group }) => group !== null).map(({ node }) => node))
  for (const group of candidates(reported, gasMaxOf(chain, spec, pinned)).slice(0, confirmationsMax)) {
    if (ports.clock.now() >= endMs) return null
    const gas = numberOf(group)
    const at = { ...pinned, params: withGas(pinned.params, gas) }
    const request = { ...read, spec: confirmationSpec, pinned: at, first }
    const attempt = new Attempt(chain, request, ports, 'last')
    const result = await attempt.conclude(await attempt.votes())
    const { verdict, endMs: confirmedMs, policy, isThin, electorate } = result.outcome
    if (verdict.kind === 'failed' || verdict.group.kind !== 'result') continue
    const accepted = {
      ...accept(group, confirmedRule),
      operators: verdict.operators,
      raw: `"${hexOf(gas)}"`,
    }
    const outcome = { ...reported, endMs: confirmedMs, verdict: accepted, policy, isThin, electorate }
    return { outcome, confirmingRound: result.outcome, confirmation: confirmationOf(result, hexOf(gas)) }
  }
  return null
}

const textCharsMax = 200

/** What calls return may be long and is not compared: it is not shown. */
function confirmationOf(
  { outcome, evidence: { id, groups } }: AttemptResult,
  gas: string,
): EstimateConfirmation {
  const textOf = (text: string, index: number) =>
    outcome.groups[index]?.kind === 'result' ? 'succeeds' : text.slice(0, textCharsMax)
  return { id, gas, groups: groups.map((group, index) => ({ ...group, text: textOf(group.text, index) })) }
}

function candidates({ groups }: ReadOutcome, gasMax: bigint): readonly ReplyGroup[] {
  return groups
    .filter((group) => group.kind === 'result' && !isEmpty(group.operators) && numberOf(group) <= gasMax)
    .sort((a, b) => (numberOf(a) < numberOf(b) ? -1 : 1))
}
