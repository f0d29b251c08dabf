import type { Signal } from './abort.ts'
import { pauseOf, rawOf, readLong } from './answer-text.ts'
import type { Callers } from './callers.ts'
import type { Chain } from './chain.ts'
import { type Clock, within } from './clock.ts'
import { contextOf } from './context.ts'
import { CallError } from './errors.ts'
import { assertAllowed, confirm, gasMaxOf, trialRule, withGas } from './estimate.ts'
import type { EngineEvent, Evidence, TraceContext } from './events.ts'
import type { Pinned } from './heads/pin.ts'
import { strategyOf } from './judges.ts'
import { answerText, namedNumber } from './methods/answer.ts'
import type { Rule } from './methods/rule.ts'
import { type Electorate, isQuorum } from './quorum/electorate.ts'
import { evidenceOf, QuorumError } from './quorum/evidence.ts'
import { excerptsOf, isLong } from './quorum/excerpt.ts'
import { isEmpty, noOperators, type OperatorSet, unionOf } from './quorum/operator-set.ts'
import { byParts } from './quorum/parts.ts'
import type { Outcome } from './quorum/question.ts'
import { shortfallOf } from './quorum/recount.ts'
import { couldBeQuorumWith } from './quorum/situation.ts'
import { type Incapacity, incapacityOf } from './quorum/unable.ts'
import type { Agreed } from './quorum/verdict.ts'
import { isOffChain, suspicionOf } from './suspicion.ts'
import type { ReadMembers } from './wire/read-ahead.ts'
import type { RefusalClass } from './wire/types.ts'

/** What a quorum said: a result's JSON text, or the chain's refusal to give one. */
export type Said = { readonly raw: string } | { readonly revert: string } | { readonly refusal: RefusalClass }

/** A read that came to an agreement. */
export interface Agreement {
  readonly said: Said
  readonly evidence: Evidence
  /** Operators behind it. */
  readonly operators: OperatorSet
  /** Operators none of whom it can do without: it was put together of what they said. Empty where all sent the same bytes. */
  readonly essential: OperatorSet
  /** It names a block at whose number we have agreed on another hash. */
  readonly isOffChain: boolean
  /** Number of the agreed block, or of the one that an agreed transaction or receipt is in; null for everything else. */
  readonly namedNumber: number | null
}

export interface ReadPorts {
  readonly clock: Clock
  readonly nextId: () => string
  readonly random: () => number
  readonly emit: (event: EngineEvent) => void
}

export interface Read {
  readonly rule: Rule
  readonly pinned: Pinned
  /** Strict majority, for what is kept for good. */
  readonly electorate: Electorate
  /** The call names its gas. */
  readonly gasGiven: boolean
  /** When the request must have been answered, epoch milliseconds. */
  readonly endMs: number
  readonly signal: Signal | null
  readonly callers: Callers
  /** The trace of the request that asks first; null where nothing is traced. */
  readonly trace: TraceContext | null
  /** Nodes that are asked before all others. */
  readonly first?: ReadonlySet<string>
}

const auditShare = 0.01

/**
 * Asks the nodes of a chain one read and returns what a quorum of them says. A block that a quorum does not have yet is
 * tried one lower, once; what is agreed no more by the time of the verdict, and an answer from another branch than ours, is
 * asked anew, once.
 */
export async function read(chain: Chain, wanted: Read, ports: ReadPorts): Promise<Agreement> {
  const first = await attempt(chain, wanted, ports)
  const { block, at } = wanted.pinned
  const { behind, groups } = first.outcome
  // A tag may fall back to the previous block; an explicit number may not.
  const isAhead =
    isQuorum(wanted.electorate, behind) ||
    (at !== null && !isEmpty(behind) && couldBeQuorumWith(behind, groups, wanted.electorate))
  if (first.outcome.verdict.kind === 'failed' && isAhead) {
    const lower = block === null || at === null ? null : chain.heads.below(block.number)
    if (at === null || lower === null) throw new CallError('block-not-found')
    return again(at(lower))
  }
  if (first.outcome.verdict.kind === 'agreed' && block?.hash != null) {
    const before = chain.heads.lastHashAt(block.number)
    const isElsewhere = before === block.hash && isOffChain(chain, wanted.rule, first.outcome.verdict.group)
    if (isElsewhere)
      await within(ports.clock, wanted.endMs - ports.clock.now(), chain.heads.look()).catch(() => {})
    const hash = isElsewhere ? chain.heads.lastHashAt(block.number) : before
    if (isElsewhere || hash !== block.hash) {
      // A reorg took the block that a tag stood for: it stands for the head of now.
      const head = hash === null && at !== null ? chain.heads.current() : null
      const here = { number: block.number, hash }
      return again(at?.(head?.block ?? here) ?? { ...wanted.pinned, block: here })
    }
  }
  return agreedOn(chain, wanted, first, ports)

  async function again(pinned: Pinned): Promise<Agreement> {
    const moved = { ...wanted, pinned }
    return agreedOn(chain, moved, await attempt(chain, moved, ports, false), ports)
  }
}

interface Attempt {
  readonly rule: Rule
  readonly outcome: Outcome
  readonly evidence: Evidence
  readonly incapacity: Incapacity | null
  /** The ask that confirmed an estimate. */
  readonly trial: Outcome | null
}

async function attempt(
  chain: Chain,
  wanted: Read,
  ports: ReadPorts,
  mayGoLower = wanted.pinned.at !== null,
): Promise<Attempt> {
  const { rule, pinned, electorate, gasGiven, endMs, signal, callers, trace, first } = wanted
  const id = ports.nextId()
  const { params, block } = pinned
  const { method } = rule
  const { id: chainId } = chain.config
  const textOf = (value: unknown, ahead?: ReadMembers) => {
    const text = answerText(rule, params, value, { chainId, ahead, blocks: chain.agreedBlocks })
    return rule.agreement === 'ending' && text !== null ? 'succeeds' : text
  }
  const whole = await chain.ask({
    id,
    rule,
    call: {
      method,
      params: JSON.stringify(params),
      context: contextOf(rule, pinned, gasGiven),
      callers,
    },
    block,
    electorate,
    strategy: strategyOf(rule, chainId),
    textOf,
    readAhead: (raw) => readLong(raw, { shape: rule.shape, chainId, clock: ports.clock, textOf }),
    isSuspicious: suspicionOf(chain, rule, params),
    mayGoLower,
    deadlineMs: endMs - ports.clock.now(),
    audit: ports.random() < auditShare,
    signal,
    trace,
    ...(first !== undefined && { first }),
  })
  const confirmed =
    whole.verdict.rule.id === 'none-between' ? await confirmedBy(chain, wanted, whole, ports) : null
  const outcome = confirmed?.outcome ?? byParts(whole, rule, params, electorate)
  const excerpts = isLong(outcome) ? await excerptsOf(outcome, pauseOf(ports.clock)) : null
  const incapacity = incapacityOf(outcome, electorate)
  const evidence = {
    ...evidenceOf(outcome, { id, chainId, method, block, electorate }, excerpts),
    ...(incapacity?.why === 'pruned' && { reason: incapacity.why }),
    ...(confirmed !== null && { confirmation: confirmed.confirmation }),
  }
  ports.emit({ type: 'verdict', evidence })
  return { rule, outcome, evidence, incapacity, trial: confirmed?.trial.outcome ?? null }
}

/** Tries the reported values at the same block; the nodes that reported one are asked first. */
function confirmedBy(chain: Chain, wanted: Read, reported: Outcome, ports: ReadPorts) {
  const { rule, pinned, endMs } = wanted
  const first = new Set(reported.asks.filter(({ camp }) => camp !== null).map(({ node }) => node))
  return confirm(reported, {
    gasMax: gasMaxOf(chain, rule, pinned),
    isOver: () => ports.clock.now() >= endMs,
    attemptWith: (gas) =>
      attempt(
        chain,
        {
          ...wanted,
          rule: trialRule,
          pinned: { ...pinned, params: withGas(pinned.params, gas) },
          gasGiven: true,
          first,
        },
        ports,
        false,
      ),
  })
}

async function agreedOn(
  chain: Chain,
  { rule, electorate, pinned }: Read,
  attempted: Attempt,
  ports: ReadPorts,
): Promise<Agreement> {
  const { outcome, evidence, incapacity } = attempted
  const { verdict } = outcome
  if (verdict.kind === 'failed') throw new QuorumError(evidence, incapacity)
  assertQuorum(electorate, attempted, ports)
  if (rule.agreement === 'estimate' && verdict.raw !== null)
    assertAllowed(verdict.raw, gasMaxOf(chain, rule, pinned))
  const { group, operators } = verdict
  const rest = {
    evidence,
    operators,
    essential: essentialOf(outcome, verdict),
    isOffChain: isOffChain(chain, rule, group),
    namedNumber: verdict.raw === null ? namedNumber(rule, group.variants[0]?.value) : null,
  }
  if (group.kind === 'revert') return { said: { revert: group.text }, ...rest }
  if (group.kind === 'refusal') return { said: { refusal: group.text as RefusalClass }, ...rest }
  return {
    said: {
      raw:
        verdict.raw ??
        (await rawOf(rule, group, electorate, { chainId: evidence.chainId, clock: ports.clock })),
    },
    ...rest,
  }
}

function essentialOf({ groups }: Outcome, { raw, group, operators }: Agreed): OperatorSet {
  if (raw !== null) return unionOf([operators, ...groups.map((each) => each.operators)])
  return group.variants.length > 1 ? operators : noOperators
}

/** Counted once more: no answer leaves that is not carried by a quorum. */
function assertQuorum(
  electorate: Electorate,
  { rule, outcome, evidence, trial }: Attempt,
  { emit }: ReadPorts,
): void {
  const shortfall =
    trial === null
      ? shortfallOf(rule.agreement, electorate, outcome)
      : shortfallOf('ending', electorate, trial)
  if (shortfall === null) return
  const detail = `answer ${evidence.id}: ${shortfall}`
  emit({ type: 'breach', chainId: evidence.chainId, invariant: 'S1', detail })
  throw new CallError('breach', { detail })
}
