import type { AskRecord } from '../events.ts'
import { type Electorate, isQuorum, setNamed } from './electorate.ts'
import { difference, noOperators, union } from './operator-set.ts'
import type { Outcome, Unable } from './question.ts'

/** Why a quorum cannot answer: it does not serve the method, keeps that block no more, or takes so many blocks in one range. */
export type Incapacity =
  | { readonly why: 'method' }
  | { readonly why: 'pruned' }
  | { readonly why: 'range'; readonly blocks: number }

/**
 * What a quorum of operators is unable to do alike, where too few are left for any answer. Null otherwise: what fewer say is no
 * reason to tell the caller.
 */
export function incapacityOf(outcome: Outcome, electorate: Electorate): Incapacity | null {
  const { verdict, unable } = outcome
  if (verdict.kind !== 'failed' || verdict.reason !== 'silent') return null
  if (isPrunedEverywhere(outcome, electorate)) return { why: 'pruned' }
  if (verdict.rule.id !== 'no-group-can-win') return null
  if (lastOfQuorum(lacking(unable), outcome, electorate) !== null) return { why: 'method' }
  const shortest = lastOfQuorum(limited(unable), outcome, electorate)
  return shortest === null ? null : { why: 'range', blocks: shortest.takes }
}

/** All that have replied lack what is needed for good, and those that have pruned it are a quorum. A fault leaves it open. */
function isPrunedEverywhere({ asks }: Outcome, electorate: Electorate): boolean {
  const isUnable = ({ outcome, detail, stalledMs }: AskRecord) =>
    // Given up as soon as nothing could come of it.
    (outcome === 'cancelled' && stalledMs === null) ||
    (outcome === 'cannot' && (detail === 'pruned' || detail === 'method'))
  if (!asks.every(isUnable)) return false
  const pruned = asks.filter(({ detail }) => detail === 'pruned').map(({ operator }) => operator)
  return isQuorum(electorate, setNamed(electorate, pruned))
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
