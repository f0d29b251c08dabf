import { joinAggregate3, multicall3, splitAggregate3 } from '../methods/multicall.ts'
import type { Rule } from '../methods/rule.ts'
import { type Electorate, isQuorum, type Operators, weightOf } from './electorate.ts'
import type { Outcome } from './question.ts'
import type { Camp } from './tally.ts'
import { accept } from './verdict.ts'

export interface PartsAgreed {
  readonly parts: readonly string[]
  /** Operators of the part that the least weight carries. */
  readonly operators: Operators
}

/**
 * Where no whole answer has a quorum, each of its parts may: nodes that are wrong about one part of many are not wrong
 * about all. Null when some part has none, or an answer does not fall into parts.
 */
export function agreeByParts(
  camps: readonly Camp[],
  electorate: Electorate,
  split: (raw: string) => readonly string[] | null,
): PartsAgreed | null {
  const answers = camps.filter(({ kind, operators }) => kind === 'answer' && operators !== 0)
  const ballots = answers.flatMap(({ variants, operators }) => {
    const parts = split(variants[0]?.raw ?? '')
    return parts === null ? [] : [{ parts, operators }]
  })
  const count = ballots[0]?.parts.length ?? 0
  if (count === 0 || ballots.some(({ parts }) => parts.length !== count)) return null
  const agreed: string[] = []
  let weakest: Operators | null = null
  for (let index = 0; index < count; index++) {
    const byPart = new Map<string, Operators>()
    for (const { parts, operators } of ballots) {
      const part = parts[index] ?? ''
      byPart.set(part, (byPart.get(part) ?? 0) | operators)
    }
    const winner = [...byPart].find(([, operators]) => isQuorum(electorate, operators))
    if (winner === undefined) return null
    agreed.push(winner[0])
    if (weakest === null || weightOf(electorate, winner[1]) < weightOf(electorate, weakest))
      weakest = winner[1]
  }
  return { parts: agreed, operators: weakest ?? 0 }
}

/** An `aggregate3` without a quorum as a whole may have one call by call. */
export function byParts(
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
