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
import type { ReplyGroup } from './tally.ts'
import { accept, type RuleName } from './verdict.ts'

const rule: RuleName = { id: 'parts', label: 'each call inside has a quorum of its own' }

interface PartsAgreed {
  readonly parts: readonly string[]
  /** Operators of the part that the least weight carries. */
  readonly operators: OperatorSet
}

/**
 * Where no whole result has a quorum, each of its parts may: nodes that are wrong about one part of many are not wrong
 * about all. Null when some part has none, or a result does not fall into parts.
 */
export function agreeByParts(
  groups: readonly ReplyGroup[],
  electorate: Electorate,
  split: (raw: string) => readonly string[] | null,
): PartsAgreed | null {
  const results = groups.filter(({ kind, operators }) => kind === 'result' && !isEmpty(operators))
  const votes = results.flatMap(({ variants, operators }) => {
    const parts = split(variants[0]?.raw ?? '')
    return parts === null ? [] : [{ parts, operators }]
  })
  const count = votes[0]?.parts.length ?? 0
  if (count === 0 || votes.some(({ parts }) => parts.length !== count)) return null
  const agreed: string[] = []
  let weakest: OperatorSet | null = null
  for (let index = 0; index < count; index++) {
    const byPart = new Map<string, OperatorSet>()
    for (const { parts, operators } of votes) {
      const part = parts[index] ?? ''
      byPart.set(part, union(byPart.get(part) ?? noOperators, operators))
    }
    const winner = [...byPart].find(([, operators]) => isQuorum(electorate, operators))
    if (winner === undefined) return null
    agreed.push(winner[0])
    if (weakest === null || weightOf(electorate, winner[1]) < weightOf(electorate, weakest))
      weakest = winner[1]
  }
  return { parts: agreed, operators: weakest ?? noOperators }
}

/** An `aggregate3` without a quorum as a whole may have one call by call. */
export function byParts(
  outcome: ReadOutcome,
  { shape }: MethodSpec,
  params: readonly unknown[],
): ReadOutcome {
  if (shape !== 'call') return outcome
  const { to = '', data = '' } = params[0] as { to?: string; data?: string }
  if (to !== multicall3) return outcome
  const agreed = agreeByParts(outcome.groups, outcome.electorate, (raw) => splitAggregate3(data, raw))
  const group = outcome.groups.find(({ kind }) => kind === 'result')
  if (agreed === null || group === undefined) return outcome
  return {
    ...outcome,
    verdict: {
      ...accept(group, rule),
      operators: agreed.operators,
      raw: joinAggregate3(agreed.parts),
    },
  }
}
