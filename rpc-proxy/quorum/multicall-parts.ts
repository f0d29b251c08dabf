import type { MethodSpec } from '../methods/method-spec.ts'
import { joinAggregate3, multicall3, splitAggregate3 } from '../methods/multicall.ts'
import {
  type Electorate,
  isEmpty,
  isQuorum,
  noOperators,
  type OperatorSet,
  union,
  weightOf,
} from './electorate.ts'
import type { ReadOutcome } from './read-round.ts'
import { accept, type RuleName } from './verdict.ts'

const rule: RuleName = { id: 'parts', label: 'each call inside has a quorum of its own' }

/** What operators say in common, part by part. */
interface PartsVote {
  readonly parts: readonly string[]
  readonly operators: OperatorSet
}

/**
 * An `aggregate3` without a quorum as a whole may have one call by call: nodes that are wrong about one part of many are not wrong
 * about all. The verdict is supported by the operators of the part that the least weight carries.
 */
export function byParts(
  outcome: ReadOutcome,
  { shape }: MethodSpec,
  params: readonly unknown[],
): ReadOutcome {
  if (shape !== 'call') return outcome
  const { to = '', data = '' } = params[0] as { to?: string; data?: string }
  if (to !== multicall3) return outcome
  const { electorate } = outcome
  const results = outcome.groups.filter(({ kind }) => kind === 'result')
  const votes = results.flatMap(({ variants, operators }) => {
    const parts = isEmpty(operators) ? null : splitAggregate3(data, variants[0]?.raw ?? '')
    return parts === null ? [] : [{ parts, operators }]
  })
  // All that are split have as many parts as the call has calls.
  const wanted = votes[0]?.parts ?? []
  const agreed = wanted.flatMap((_, index) => agreedPart(votes, index, electorate) ?? [])
  const [group] = results
  const [first, ...others] = agreed
  if (group === undefined || first === undefined || agreed.length < wanted.length) return outcome
  const weight = ({ operators }: AgreedPart) => weightOf(electorate, operators)
  const { operators } = others.reduce((least, each) => (weight(each) < weight(least) ? each : least), first)
  const raw = joinAggregate3(agreed.map(({ part }) => part))
  return { ...outcome, verdict: { ...accept(group, rule), operators, raw } }
}

interface AgreedPart {
  readonly part: string
  readonly operators: OperatorSet
}

function agreedPart(
  votes: readonly PartsVote[],
  index: number,
  electorate: Electorate,
): AgreedPart | undefined {
  const byPart = new Map<string, OperatorSet>()
  for (const { parts, operators } of votes) {
    const part = parts[index] ?? ''
    byPart.set(part, union(byPart.get(part) ?? noOperators, operators))
  }
  const winner = [...byPart].find(([, operators]) => isQuorum(electorate, operators))
  return winner && { part: winner[0], operators: winner[1] }
}
