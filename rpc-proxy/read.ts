import type { Chain } from './chain.ts'
import { type Clock, within } from './clock.ts'
import { isOffChain, suspicionOf } from './doubt.ts'
import { CallError } from './errors.ts'
import type { EngineEvent, Evidence } from './events.ts'
import type { Pinned } from './heads/pin.ts'
import { answerText, namedNumber } from './methods/answer.ts'
import { joinAggregate3, multicall3, splitAggregate3 } from './methods/multicall.ts'
import type { Rule } from './methods/rule.ts'
import type { Outcome } from './quorum/ask.ts'
import { type Electorate, isQuorum, weightOf } from './quorum/electorate.ts'
import { evidenceOf, QuorumError } from './quorum/evidence.ts'
import { excerptsOf, isLong } from './quorum/excerpt.ts'
import { joining } from './quorum/joined.ts'
import { lookup } from './quorum/lookup.ts'
import { highest, median } from './quorum/numbers.ts'
import { agreeByParts } from './quorum/parts.ts'
import { wouldAgreeWith } from './quorum/situation.ts'
import type { Camp, Ready } from './quorum/tally.ts'
import { accept, equality, type Judge, logs } from './quorum/verdict.ts'
import { compose, holdsNullList } from './wire/canonical.ts'
import { essencesOf } from './wire/essence.ts'
import { mergeAhead, readAhead } from './wire/read-ahead.ts'
import type { RefusalClass } from './wire/types.ts'

/** What a quorum said: a result's JSON text, or the chain's refusal to give one. */
export type Said = { readonly raw: string } | { readonly revert: string } | { readonly refusal: RefusalClass }

/** A read that came to an agreement. */
export interface Agreement {
  readonly said: Said
  readonly evidence: Evidence
  /** Operators behind it. */
  readonly operators: number
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
  readonly signal: AbortSignal | null
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
  const { behind, camps } = first.outcome
  // Whoever asked for a tag has the last block that a quorum has; whoever asked for a number has that one or none.
  const isAhead =
    isQuorum(wanted.electorate, behind) ||
    (at !== null && behind !== 0 && wouldAgreeWith(behind, camps, wanted.electorate))
  if (first.outcome.verdict.kind === 'failed' && isAhead) {
    const lower = block === null || at === null ? null : chain.heads.below(block.number)
    if (at === null || lower === null) throw new CallError('block-not-found')
    return again(at(lower))
  }
  if (first.outcome.verdict.kind === 'agreed' && block?.hash != null) {
    const before = chain.heads.lastHashAt(block.number)
    const isElsewhere = before === block.hash && isOffChain(chain, wanted.rule, first.outcome.verdict.camp)
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
    return agreedOn(chain, wanted, await attempt(chain, { ...wanted, pinned }, ports, false), ports)
  }
}

interface Attempt {
  readonly outcome: Outcome
  readonly evidence: Evidence
}

async function attempt(
  chain: Chain,
  { rule, pinned, electorate, gasGiven, endMs, signal }: Read,
  ports: ReadPorts,
  mayGoLower = pinned.at !== null,
): Promise<Attempt> {
  const id = ports.nextId()
  const { params, block } = pinned
  const { method } = rule
  const executes = executing.has(method)
  const whole = await chain.put({
    id,
    rule,
    call: {
      method,
      params: JSON.stringify(params),
      context: {
        executes,
        sends: false,
        gasGiven,
        ranges: method === 'eth_getLogs',
        chosen: isChosen(rule, pinned),
        atBlock: block !== null,
      },
    },
    block,
    electorate,
    judge: judgeOf(rule, chain.config.id),
    reading: (value) => answerText(rule, params, value, chain.config.id),
    readAhead: (raw) => readLong(raw, { rule, params, chainId: chain.config.id, clock: ports.clock }),
    isSuspicious: suspicionOf(chain, rule, params),
    mayGoLower,
    deadlineMs: endMs - ports.clock.now(),
    audit: ports.random() < auditShare,
    signal,
  })
  const outcome = byParts(whole, rule, params, electorate)
  const about = { id, chainId: chain.config.id, method, block, electorate }
  const evidence = evidenceOf(
    outcome,
    about,
    isLong(outcome) ? await excerptsOf(outcome, pauseOf(ports.clock)) : null,
  )
  ports.emit({ type: 'verdict', evidence })
  return { outcome, evidence }
}

/** Characters of an answer that are read at a time. */
const sliceChars = 1 << 17

/** A long answer, read in slices between which the event loop turns; only its parsing and its text are made in one go. */
async function readLong(
  raw: string,
  { rule, params, chainId, clock }: { rule: Rule; params: readonly unknown[]; chainId: number; clock: Clock },
): Promise<Ready | null> {
  try {
    const value: unknown = JSON.parse(raw)
    const ahead = await readAhead(rule.shape, value, { chainId, ...paceOf(raw, clock) })
    return { value, text: answerText(rule, params, value, chainId, ahead) }
  } catch {
    return null
  }
}

function paceOf({ length }: string, clock: Clock) {
  return { slices: Math.ceil(length / sliceChars), pause: pauseOf(clock) }
}

/** Lets the event loop turn. */
function pauseOf(clock: Clock): () => Promise<void> {
  return () => new Promise((resolve) => void clock.after(0, resolve))
}

/** An `aggregate3` whose whole nobody agrees on may still be agreed call by call. */
function byParts(
  outcome: Outcome,
  { shape }: Rule,
  params: readonly unknown[],
  electorate: Electorate,
): Outcome {
  if (outcome.verdict.kind === 'agreed' || shape !== 'call') return outcome
  const { to = '', data = '' } = params[0] as { to?: string; data?: string }
  if (to !== multicall3) return outcome
  const agreed = agreeByParts(outcome.camps, electorate, (raw) => splitAggregate3(data, raw))
  const camp = outcome.camps.find(({ kind }) => kind === 'answer')
  if (agreed === null || camp === undefined) return outcome
  const rule = 'each call inside has a quorum of its own'
  return {
    ...outcome,
    verdict: {
      ...accept(camp, rule),
      operators: agreed.operators,
      raw: joinAggregate3(agreed.parts),
    },
  }
}

async function agreedOn(
  chain: Chain,
  { rule, electorate }: Read,
  { outcome, evidence }: Attempt,
  ports: ReadPorts,
): Promise<Agreement> {
  const { verdict } = outcome
  if (verdict.kind === 'failed') throw new QuorumError(evidence)
  assertQuorum(electorate, outcome, evidence, ports)
  const { camp, operators } = verdict
  const rest = {
    evidence,
    operators,
    isOffChain: isOffChain(chain, rule, camp),
    namedNumber: verdict.raw === null ? namedNumber(rule, camp.variants[0]?.value) : null,
  }
  if (camp.kind === 'revert') return { said: { revert: camp.text }, ...rest }
  if (camp.kind === 'refusal') return { said: { refusal: camp.text as RefusalClass }, ...rest }
  return {
    said: {
      raw:
        verdict.raw ??
        (await rawOf(rule, camp, electorate, { chainId: evidence.chainId, clock: ports.clock })),
    },
    ...rest,
  }
}

/** The bytes that a quorum sent alike, as they are, if no list is null in them; else the agreed fields, and others only where a quorum has them alike. */
async function rawOf(
  { shape }: Rule,
  { variants, operators: loyal }: Camp,
  electorate: Electorate,
  { chainId, clock }: { chainId: number; clock: Clock },
): Promise<string> {
  // An operator that contradicted itself stands behind none of its texts.
  const alike = variants.find(({ operators }) => isQuorum(electorate, operators & loyal))
  if (alike !== undefined && !holdsNullList(shape, alike.value)) return alike.raw
  const agree = (indexes: readonly number[]) =>
    isQuorum(electorate, indexes.reduce((set, index) => set | (variants[index]?.operators ?? 0), 0) & loyal)
  const values = variants.map(({ value }) => value)
  const longest = variants.reduce((text, { raw }) => (raw.length > text.length ? raw : text), '')
  if (longest.length <= sliceChars) return compose(shape, values, { agree, chainId })
  const before = await mergeAhead(shape, values, { agree, chainId, ...paceOf(longest, clock) })
  return compose(shape, values, { agree, chainId, before })
}

/** Counted once more, in another way, from what each ask brought: no answer leaves that is not carried by a quorum. */
function assertQuorum(
  electorate: Electorate,
  { verdict, asks }: Outcome,
  evidence: Evidence,
  { emit }: ReadPorts,
): void {
  if (verdict.kind !== 'agreed') return
  const heaviest = new Map<string, number>()
  const isOther = ({ camp }: Outcome['asks'][number]) =>
    camp !== null && verdict.raw === null && camp !== verdict.camp.place && !verdict.beside.includes(camp)
  const contrary = new Set(asks.filter(isOther).map(({ operator }) => operator))
  for (const { operator, camp } of asks) {
    if (camp === null || contrary.has(operator)) continue
    heaviest.set(operator, electorate.weights[electorate.operators.indexOf(operator)] ?? 0)
  }
  const weight = [...heaviest.values()].reduce((sum, each) => sum + each, 0)
  if (
    weight >= electorate.needed &&
    heaviest.size >= electorate.operatorsMin &&
    weight >= weightOf(electorate, verdict.operators)
  )
    return
  const detail = `answer ${evidence.id}: weight ${weight} of ${electorate.needed}, operators ${heaviest.size} of ${electorate.operatorsMin}`
  emit({ type: 'breach', chainId: evidence.chainId, invariant: 'S1', detail })
  throw new CallError('breach', { detail })
}

const executing = new Set(['eth_call', 'eth_estimateGas', 'eth_createAccessList', 'eth_simulateV1'])

/** Reads whose work no caller can raise where they name a recent block: an old one may be slow or pruned. */
const fixed = new Set([
  'eth_getBalance',
  'eth_getTransactionCount',
  'eth_getCode',
  'eth_getStorageAt',
  'eth_getBlockByNumber',
  'eth_getBlockTransactionCountByNumber',
  'eth_getUncleCountByBlockNumber',
])

/** Whether the caller decides how much work the call is, or how large its answer: all but fixed reads at an agreed block. */
function isChosen({ method, pin }: Rule, { params, block }: Pinned): boolean {
  if (!fixed.has(method)) return true
  const isFullBlock = method === 'eth_getBlockByNumber' && params[1] === true
  return isFullBlock || (pin !== 'none' && block?.hash == null)
}

function judgeOf(rule: Rule, chainId: number): Judge {
  const { agreement, nullable, shape } = rule
  if (agreement === 'median') return median(false)
  if (agreement === 'upper-median') return median(true)
  if (agreement === 'highest') return highest
  if (shape === 'logs') return logs
  const judge = nullable ? lookup : equality
  const essences = essencesOf(shape, chainId)
  return essences === null ? judge : joining(judge, essences)
}
