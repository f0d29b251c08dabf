import { type Electorate, isQuorum, type Operators } from './electorate.ts'
import type { Outcome, Unable } from './question.ts'
import { noCampCanWin } from './verdict.ts'

/** Why a quorum cannot answer: it does not serve the method, or takes so many blocks in one range and no more. */
export type Incapacity = { readonly why: 'method' } | { readonly why: 'range'; readonly blocks: number }

/**
 * What a quorum of operators is unable to do alike, where too few are left for any answer. Null otherwise: what fewer say is no
 * reason to tell the caller.
 */
export function incapacityOf(outcome: Outcome, electorate: Electorate): Incapacity | null {
  const { verdict, unable } = outcome
  if (verdict.kind !== 'failed' || verdict.reason !== 'silent' || verdict.rule !== noCampCanWin.name)
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
  { camps, split }: Outcome,
  electorate: Electorate,
): Each | null {
  const answered = camps.reduce((all, { operators }) => all | operators, split)
  let refusing: Operators = 0
  for (const one of each) {
    refusing |= one.operator & ~answered
    if (isQuorum(electorate, refusing)) return one
  }
  return null
}
