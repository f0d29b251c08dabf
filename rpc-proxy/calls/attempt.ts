import type { Chain } from '../chain/chain.ts'
import { type ChainRead, type ReadPorts, sendRead } from '../chain/send-read.ts'
import type { TraceContext } from '../events/events.ts'
import type { EstimateConfirmation, Evidence, FailureReason, PinnedBlock } from '../events/evidence-types.ts'
import { evidenceOf, excerptsOf, isLong } from '../evidence/build.ts'
import type { Heads } from '../heads/heads.ts'
import type { Pinned } from '../heads/pin.ts'
import { blockRefsOf, hexOf, rangeOf } from '../methods/block-ref.ts'
import { type CallObject, transactionGasOf } from '../methods/call-object.ts'
import { bloomMayContain, isBlankBloom, type LogFilter } from '../methods/log-filter.ts'
import { type MethodSpec, resultText, type StrategyId } from '../methods/method-spec.ts'
import { methodSpec } from '../methods/table.ts'
import { isEmpty } from '../quorum/electorate.ts'
import { type Incapacity, incapacityOf } from '../quorum/incapacity.ts'
import { joining } from '../quorum/joined-groups.ts'
import { lookup } from '../quorum/lookup.ts'
import { byParts } from '../quorum/multicall-parts.ts'
import { estimate, highest, numberOf, succeeds, unconfirmedEstimate } from '../quorum/number-strategies.ts'
import type { ReadOutcome, ReadQuestion } from '../quorum/read-round.ts'
import {
  type CanonicalText,
  type ParsedResult,
  pauseOf,
  type ReplyGroup,
  rawOf,
  readLong,
} from '../quorum/tally.ts'
import { accept, equality, logs, type RuleName, type Strategy } from '../quorum/verdict.ts'
import type { Signal } from '../runtime/abort.ts'
import { andThen, type Soon } from '../runtime/clock.ts'
import { CallError } from '../runtime/errors.ts'
import type { RoundCallers } from '../runtime/fair-slots.ts'
import type { ErrorContext } from '../upstreams/errors/error-pattern.ts'
import type { NodeCall } from '../upstreams/post-calls.ts'
import type { Shape } from '../wire/canonical.ts'
import type { ReadMembers } from '../wire/codecs.ts'
import { identitiesOf } from '../wire/reply-identity.ts'

/** A read, as it is put to the nodes of a chain. */
export interface ReadRequest {
  readonly spec: MethodSpec
  readonly pinned: Pinned
  readonly policy: ReadQuestion['policy']
  /** When the request must have been answered, epoch milliseconds. */
  readonly endMs: number
  readonly signal: Signal | null
  readonly callers: RoundCallers
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
    return sendRead(this, this.#chain, this.#ports)
  }

  /** Makes the votes a result with its evidence, and emits the verdict. */
  conclude(voted: ReadOutcome): Soon<AttemptResult> {
    if (voted.verdict.rule.id === 'none-between') return this.#confirmed(voted)
    return this.#resultOf(
      voted.verdict.kind === 'agreed' ? voted : byParts(voted, this.spec, this.#request.pinned.params),
    )
  }

  async #confirmed(voted: ReadOutcome): Promise<AttemptResult> {
    const confirmed = await confirm(this.#chain, this.#request, voted, this.#ports)
    return this.#resultOf(confirmed?.outcome ?? voted, confirmed)
  }

  #resultOf(outcome: ReadOutcome, confirmed: Confirmed | null = null): Soon<AttemptResult> {
    return andThen(this.#joinedText(outcome), (result) =>
      isLong(outcome)
        ? excerptsOf(outcome, pauseOf(this.#ports.clock)).then((excerpts) =>
            this.#withEvidence(outcome, { confirmed, result, excerpts }),
          )
        : this.#withEvidence(outcome, { confirmed, result }),
    )
  }

  /** The result of joined groups. No single group has this text. */
  #joinedText({ verdict, electorate }: ReadOutcome): Soon<string | null> {
    if (verdict.kind === 'failed' || verdict.rule.id !== 'joined') return null
    const { clock } = this.#ports
    return rawOf(this.spec, verdict.group, electorate, { chainId: this.#chain.config.id, clock })
  }

  #withEvidence(outcome: ReadOutcome, { confirmed, result, excerpts }: EvidenceInputs): AttemptResult {
    const { spec, call, block, electorates } = this
    const { verdict } = outcome
    const incapacity = verdict.kind === 'agreed' ? null : incapacityOf(outcome, verdict)
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
      result,
      confirmation: confirmed?.confirmation,
    }
    const evidence = evidenceOf(outcome, about, excerpts)
    this.#ports.emit({ type: 'verdict', evidence })
    return { spec, outcome, evidence, incapacity, confirmingRound: confirmed?.confirmingRound ?? null }
  }
}

/** What decides how a node's error to this read is understood. */
function contextOf(spec: MethodSpec, pinned: Pinned, heads: Heads): ErrorContext {
  return {
    executes: spec.executionsOf !== undefined,
    sends: false,
    gasGiven: namesGas(pinned.params),
    ranges: spec.pin === 'range',
    callerControlled: isCallerControlled(spec, pinned, heads),
    atBlock: pinned.block !== null,
  }
}

/** Whether the caller decides how much work the call is, or how large its answer: all but fixed reads at a recent agreed block. */
function isCallerControlled({ isFixed, pin }: MethodSpec, { params, block }: Pinned, heads: Heads): boolean {
  const isRecent = block?.hash != null && block.number >= heads.agreed.lowest()
  return isFixed?.(params) !== true || (pin !== 'none' && !isRecent)
}

/** The parts of evidence besides the votes. `result`: only of joined groups. */
interface EvidenceInputs {
  readonly confirmed: Confirmed | null
  readonly result: string | null
  readonly excerpts?: Parameters<typeof evidenceOf>[2]
}

interface Confirmed {
  /** The reported values, with the confirmed one as their verdict. */
  readonly outcome: ReadOutcome
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

/** What calls return may be long and is not compared, so it is left out. */
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

type Make = (spec: MethodSpec, chainId: number) => Strategy

/** The strategies by which votes become a verdict. Methods with another one are never voted on. */
const strategies: Partial<Record<StrategyId, Make>> = {
  equality: (spec, chainId) => joiningWays(equality, spec, chainId),
  lookup: (spec, chainId) => joiningWays(lookup, spec, chainId),
  logs: () => logs,
  estimate: (_, chainId) => estimateStrategy(chainId),
  succeeds: () => succeeds,
  highest: () => highest,
}

/** By method and chain: made once, since each call needs one. */
const made = new WeakMap<MethodSpec, Map<number, Strategy>>()

/** How votes on calls of this method become a verdict. */
export function strategyOf(spec: MethodSpec, chainId: number): Strategy {
  const ofSpec = made.get(spec) ?? new Map<number, Strategy>()
  const strategy = ofSpec.get(chainId) ?? newStrategy(spec, chainId)
  made.set(spec, ofSpec.set(chainId, strategy))
  return strategy
}

function newStrategy(spec: MethodSpec, chainId: number): Strategy {
  const make = strategies[spec.strategy]
  if (make === undefined) throw new CallError('breach', { detail: `${spec.method} is not voted on` })
  return make(spec, chainId)
}

function joiningWays(strategy: Strategy, { shape }: MethodSpec, chainId: number): Strategy {
  const identities = identitiesOf(shape, chainId)
  return identities === null ? strategy : joining(strategy, identities)
}

/** What would speak against an answer that has a quorum. */
function suspicionOf(
  chain: Chain,
  spec: MethodSpec,
  params: readonly unknown[],
): (value: unknown) => boolean {
  if (spec.shape === 'logs') return (value) => isIncomplete(chain, spec, params, value)
  const hashAt = (number: number) => chain.heads.agreed.hashAt(number)
  return spec.strategy === 'lookup' && onChain.has(spec.shape)
    ? (value) => namesAnother(hashAt, spec, value)
    : () => false
}

/** The answer names a block of another branch than the agreed one, or than the block to which the call is pinned. */
export function isOffChain(
  { heads }: Chain,
  spec: MethodSpec,
  { variants }: ReplyGroup,
  pinned: PinnedBlock | null = null,
): boolean {
  if (!onChain.has(spec.shape)) return false
  const value = variants[0]?.value
  const agreedAt = (number: number) =>
    (number === pinned?.number ? pinned.hash : null) ?? heads.agreed.hashAt(number)
  const isOff = (each: unknown) => namesAnother(agreedAt, spec, each)
  return Array.isArray(value) ? value.some(isOff) : isOff(value)
}

/** Answers that name blocks of the chain. Those of `eth_simulateV1` are made up, and uncles were left out. */
const onChain: ReadonlySet<Shape> = new Set(['block', 'transaction', 'receipt', 'receipts', 'logs'])

type AgreedAt = (number: number) => string | null

/** It names a block whose agreed hash is another. Whatever else a node writes beside the fields of the shape was not read. */
function namesAnother(agreedAt: AgreedAt, { shape }: MethodSpec, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { blockHash, hash, blockNumber, number } = value as Record<string, string | null | undefined>
  const [at, of] = shape === 'block' ? [number, hash] : [blockNumber, blockHash]
  const agreed = at == null ? null : agreedAt(Number(at))
  return agreed !== null && agreed !== of?.toLowerCase()
}

/**
 * The agreed header of some block says that it may hold such logs, and the answer has none of it. Only blocks whose headers
 * we agreed on can tell.
 */
function isIncomplete(
  { heads }: Chain,
  spec: MethodSpec,
  params: readonly unknown[],
  value: unknown,
): boolean {
  if (!Array.isArray(value)) return false
  const filter = params[0] as LogFilter
  const mayHold = (bloom: string | null | undefined) =>
    bloom != null && !isBlankBloom(bloom) && bloomMayContain(bloom, filter)
  const range = rangeOf(spec, params, Number.POSITIVE_INFINITY)
  if (range === null)
    return value.length === 0 && mayHold(heads.agreed.blockOf(filter.blockHash ?? '')?.logsBloom)
  const seen = new Set(value.map((log) => Number((log as { blockNumber: string }).blockNumber)))
  for (let number = Math.max(range.from, range.to - headersMax); number <= range.to; number++) {
    if (!seen.has(number) && mayHold(heads.agreed.blockAt(number)?.logsBloom)) return true
  }
  return false
}

const headersMax = 256

/**
 * Arbitrum One, Nova and Sepolia. A transaction pays there for its data on the parent chain, within its gas; a call does
 * not (docs.arbitrum.io, "gas estimation"), so that it succeeds with less than a transaction needs.
 */
const callsAreCheaper: ReadonlySet<number> = new Set([42161, 42170, 421614])

function estimateStrategy(chainId: number): Strategy {
  return callsAreCheaper.has(chainId) ? unconfirmedEstimate : estimate
}

/** eth_call as it is asked for an estimate: whether it succeeds, whatever it returns. */
export const confirmationSpec: MethodSpec = { ...methodSpec('eth_call'), strategy: 'succeeds', shape: 'data' }

export function namesGas([target]: readonly unknown[]): boolean {
  return typeof target === 'object' && target !== null && 'gas' in target
}

/** Params of eth_estimateGas -> the same call with exactly this gas. */
function withGas(params: readonly unknown[], gas: bigint): readonly unknown[] {
  return params.with(0, { ...(params[0] as CallObject), gas: hexOf(gas) })
}

/** The most that an estimate may be: what the caller allows, where it does, and what a transaction in its block may have. */
export function gasMaxOf({ heads, config }: Chain, spec: MethodSpec, { params, block }: Pinned): bigint {
  const { gas } = params[0] as CallObject
  const [ref] = blockRefsOf(spec, params)
  const hash = ref !== undefined && 'hash' in ref ? ref.hash : block?.hash
  const most = transactionGasOf(config.id, heads.agreed.blockOf(hash ?? '')?.gasLimit ?? null)
  return BigInt(gas === undefined ? most : Math.min(most, Number(gas)))
}

/** Throws CallError `refused` in geth's words where an estimate is more than it may be. */
export function assertAllowed(raw: string, gasMax: bigint): void {
  if (BigInt(JSON.parse(raw) as string) > gasMax)
    throw new CallError('refused', { message: `gas required exceeds allowance (${gasMax})` })
}
