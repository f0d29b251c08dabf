import type { Chain } from './chain.ts'
import { CallError } from './errors.ts'
import type { Confirmation, Evidence } from './events.ts'
import type { Pinned } from './heads/pin.ts'
import { blockRefsOf, hexOf } from './methods/block-ref.ts'
import type { CallObject } from './methods/call-object.ts'
import type { Rule } from './methods/rule.ts'
import { ruleOf } from './methods/table.ts'
import { estimate, numberOf, unconfirmedEstimate } from './quorum/numbers.ts'
import { isEmpty } from './quorum/operator-set.ts'
import type { Outcome } from './quorum/read-round.ts'
import type { ReplyGroup } from './quorum/reply-tally.ts'
import { accept, type RuleName, type Strategy } from './quorum/verdict.ts'

/**
 * Arbitrum One, Nova and Sepolia. A transaction pays there for its data on the parent chain, within its gas; a call does
 * not (docs.arbitrum.io, "gas estimation"), so that it succeeds with less than a transaction needs.
 */
const callsAreCheaper: ReadonlySet<number> = new Set([42161, 42170, 421614])

export function estimateStrategy(chainId: number): Strategy {
  return callsAreCheaper.has(chainId) ? unconfirmedEstimate : estimate
}

/** eth_call as it is asked for an estimate: whether it succeeds, whatever it returns. */
export const trialRule: Rule = { ...ruleOf('eth_call'), agreement: 'ending', shape: 'data' }

/** Params of eth_estimateGas -> the same call with exactly this gas. */
export function withGas(params: readonly unknown[], gas: bigint): readonly unknown[] {
  return params.with(0, { ...(params[0] as CallObject), gas: hexOf(gas) })
}

/**
 * The most that an estimate may be: what the caller allows, where it does, what this chain's calls get, and the block's gas
 * limit, where its header is agreed.
 */
export function gasMaxOf(
  { heads, config: { callGas } }: Chain,
  rule: Rule,
  { params, block }: Pinned,
): bigint {
  const { gas } = params[0] as CallObject
  const [ref] = blockRefsOf(rule, params)
  const hash = ref !== undefined && 'hash' in ref ? ref.hash : block?.hash
  const gasLimit = heads.blockOf(hash ?? '')?.gasLimit ?? callGas
  return BigInt(Math.min(callGas, gasLimit, gas === undefined ? callGas : Number(gas)))
}

interface Trial {
  readonly outcome: Outcome
  readonly evidence: Evidence
}

interface Confirmed {
  /** What was reported, decided. */
  readonly outcome: Outcome
  /** The ask that decided it. */
  readonly trial: Trial
  readonly confirmation: Confirmation
}

interface TrialOptions {
  readonly gasMax: bigint
  readonly isOver: () => boolean
  /** Puts the call with this gas to the nodes. */
  readonly attemptWith: (gas: bigint) => Promise<Trial>
}

const trialsMax = 8

const confirmedRule: RuleName = {
  id: 'confirmed',
  label: 'a quorum agrees that the call succeeds with this gas',
}

/**
 * The smallest of the reported values with which, so a quorum agrees, the call succeeds. Null when there is none among the
 * first eight.
 */
export async function confirm(
  reported: Outcome,
  { gasMax, isOver, attemptWith }: TrialOptions,
): Promise<Confirmed | null> {
  for (const group of candidates(reported, gasMax).slice(0, trialsMax)) {
    if (isOver()) return null
    const trial = await attemptWith(numberOf(group))
    const { verdict, endMs } = trial.outcome
    if (verdict.kind === 'failed' || verdict.group.kind !== 'answer') continue
    const accepted = {
      ...accept(group, confirmedRule),
      operators: verdict.operators,
      raw: `"${hexOf(numberOf(group))}"`,
    }
    const confirmation = confirmationOf(trial, hexOf(numberOf(group)))
    return { outcome: { ...reported, endMs, verdict: accepted }, trial, confirmation }
  }
  return null
}

const saidCharsMax = 200

/** What calls return may be long and is not compared: it is not shown. */
function confirmationOf({ outcome, evidence: { id, camps } }: Trial, gas: string): Confirmation {
  const saidIn = (said: string, place: number) =>
    outcome.groups[place]?.kind === 'answer' ? 'succeeds' : said.slice(0, saidCharsMax)
  return { id, gas, camps: camps.map((camp, place) => ({ ...camp, said: saidIn(camp.said, place) })) }
}

function candidates({ groups }: Outcome, gasMax: bigint): readonly ReplyGroup[] {
  return groups
    .filter((group) => group.kind === 'answer' && !isEmpty(group.operators) && numberOf(group) <= gasMax)
    .sort((a, b) => (numberOf(a) < numberOf(b) ? -1 : 1))
}

/** Throws CallError `refused` in geth's words where an estimate is more than it may be. */
export function assertAllowed(raw: string, gasMax: bigint): void {
  if (BigInt(JSON.parse(raw) as string) > gasMax)
    throw new CallError('refused', { message: `gas required exceeds allowance (${gasMax})` })
}
