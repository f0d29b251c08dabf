import { type Electorate, isQuorum } from './electorate.ts'
import { difference, noOperators, union } from './operator-set.ts'
import type { Outcome, Unable } from './read-round.ts'

/** Why a quorum cannot answer: it does not serve the method, or takes so many blocks in one range and no more. */
export type Incapacity = { readonly why: 'method' } | { readonly why: 'range'; readonly blocks: number }

/**
 * What a quorum of operators is unable to do alike, where too few are left for any answer. Null otherwise: what fewer say is no
 * reason to tell the caller.
 */
export function incapacityOf(outcome: Outcome, electorate: Electorate): Incapacity | null {
  const { verdict, unable } = outcome
  if (verdict.kind !== 'failed' || verdict.reason !== 'silent' || verdict.rule.id !== 'no-group-can-win')
    return null
  if (lastOfQuorum(lacking(unable), outcome, electorate) !== null) return { why: 'method' }
  const shortest = lastOfQuorum(limited(unable), outcome, electorate)
  return shortest === null ? null : { why: 'range', blocks: shortest.takes }
}

const lacking = (unable: readonly Unable[]) => unable.filter(({ takes }) => takes === null)

const limited = (unable: readonly Unable[]) =>
  unable
    .flatMap(({ operator, takes }) => (takes === null ? [] : [{ operator, takes }]))
    .toSorted((a, b) => b.takes - a.takes)

/** The one with whom those before it become a quorum. An operator whose other node had an answer does not count. */
function lastOfQuorum<Each extends Pick<Unable, 'operator'>>(
  each: readonly Each[],
  { groups, split }: Outcome,
  electorate: Electorate,
): Each | null {
  const answered = groups.reduce((all, { operators }) => union(all, operators), split)
  let refusing = noOperators
  for (const one of each) {
    refusing = union(refusing, difference(one.operator, answered))
    if (isQuorum(electorate, refusing)) return one
  }
  return null
}
