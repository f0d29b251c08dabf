import type { RuleId, UpstreamRequestRecord } from '../events/evidence-types.ts'
import type { OperatorIndex } from '../runtime/indexes.ts'
import type { UnknownError } from '../wire/types.ts'
import {
  contains,
  difference,
  type Electorate,
  isQuorum,
  noOperators,
  type OperatorSet,
  operatorsIn,
  setOf,
  union,
  unionOf,
} from './electorate.ts'
import type { ReadOutcome } from './read-round.ts'
import { refusedBy, type Unable } from './unable.ts'
import type { Failed } from './verdict.ts'

/**
 * Why a quorum cannot answer: it does not serve the method, has pruned that block, takes fewer addresses or topics, or so many
 * blocks in one range.
 */
export type Incapacity =
  | { readonly why: 'method' | 'pruned' | 'filter' }
  | { readonly why: 'range'; readonly blocks: number }
  /** It refuses the call in these words. */
  | { readonly why: 'unknown'; readonly error: UnknownError }
  /** Nothing that any node replied can be read. */
  | { readonly why: 'malformed' }

/** The rules by which a round ends that no other reply could help. */
const hopeless: ReadonlySet<RuleId> = new Set([
  'no-group-can-win',
  'too-few-numbers',
  'no-value-between',
  'thin',
])

/**
 * What a quorum of operators is unable to do alike, where too few are left for any answer. Null otherwise: what fewer say is no
 * reason to tell the caller.
 */
export function incapacityOf(
  { electorate, unable, groups, split, requests }: ReadOutcome,
  { reason, rule }: Failed,
): Incapacity | null {
  if (reason === 'disagree' || !hopeless.has(rule.id)) return null
  // An operator whose other node had an answer is able.
  const answered = union(operatorsIn(groups), split)
  for (const why of ['method', 'filter'] as const) {
    const alike = unable.filter((each) => each.why === why)
    if (lastOfQuorum(alike, answered, electorate) !== null) return { why }
  }
  const error = refusedBy(unable, answered, electorate)
  if (error !== null) return { why: 'unknown', error }
  if (reason === 'silent' && isAllMalformed(requests)) return { why: 'malformed' }
  if (isPrunedForGood(unable, electorate)) return { why: 'pruned' }
  const shortest = lastOfQuorum(byLength(unable), answered, electorate)
  return shortest === null ? null : { why: 'range', blocks: shortest.takes }
}

/**
 * Without the operators all of whose nodes have pruned the block or lack the method there is no quorum, whatever the others say, now or
 * later: so it does not depend on who replied first.
 */
function isPrunedForGood(unable: readonly Unable[], electorate: Electorate): boolean {
  if (!unable.some(({ why }) => why === 'pruned')) return false
  const saying = unable.filter(({ why }) => why === 'method' || why === 'pruned')
  const isUnable = (operator: OperatorIndex) =>
    saying.filter((each) => contains(each.operator, operator)).length >=
    electorate.operatorOf.filter((each) => each === operator).length
  const able = electorate.operatorOf.filter((operator) => !isUnable(operator))
  return !isQuorum(electorate, unionOf(able.map(setOf)))
}

/** Nobody was silent, and nothing that came can be read. */
function isAllMalformed(requests: readonly UpstreamRequestRecord[]): boolean {
  const replied = requests.filter(({ outcome, stalledMs }) => outcome !== 'cancelled' || stalledMs !== null)
  return replied.length > 0 && replied.every(({ detail }) => detail === 'malformed')
}

type Limited = Extract<Unable, { why: 'range' }>

const byLength = (unable: readonly Unable[]): readonly Limited[] =>
  unable.filter((each): each is Limited => each.why === 'range').toSorted((a, b) => b.takes - a.takes)

/** The one with whom those before it become a quorum. */
function lastOfQuorum<Each extends Pick<Unable, 'operator'>>(
  each: readonly Each[],
  answered: OperatorSet,
  electorate: Electorate,
): Each | null {
  let refusing = noOperators
  for (const one of each) {
    refusing = union(refusing, difference(one.operator, answered))
    if (isQuorum(electorate, refusing)) return one
  }
  return null
}
