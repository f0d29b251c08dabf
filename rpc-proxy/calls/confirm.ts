import type { Chain } from '../chain/chain.ts'
import type { EstimateConfirmation } from '../events/evidence-types.ts'
import { hexOf } from '../methods/block-ref.ts'
import { numberOf } from '../quorum/numbers.ts'
import { isEmpty } from '../quorum/operator-set.ts'
import type { ReadOutcome } from '../quorum/read-round.ts'
import type { ReplyGroup } from '../quorum/reply-tally.ts'
import { accept, type RuleName } from '../quorum/verdict.ts'
import { type Attempt, type ReadPorts, type ReadRequest, runAttempt } from './attempt.ts'
import { confirmationSpec, gasMaxOf, withGas } from './estimate.ts'

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
export async function confirm(
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
