import { type Electorate, isQuorum, type Operators } from './electorate.ts'
import type { Outcome } from './question.ts'
import { noCampCanWin } from './verdict.ts'

/**
 * How many blocks a quorum takes in one range, where a quorum refused this one as too long, and too few are left for any
 * answer. Null otherwise: what fewer say is no reason to tell the caller.
 */
export function blocksTaken(
  { verdict, takes, camps, split }: Outcome,
  electorate: Electorate,
): number | null {
  if (verdict.kind !== 'failed' || verdict.reason !== 'silent' || verdict.rule !== noCampCanWin.name)
    return null
  // Another node of theirs had an answer.
  const answered = camps.reduce((all, { operators }) => all | operators, split)
  let refusing: Operators = 0
  for (const { operator, blocks } of takes.toSorted((a, b) => b.blocks - a.blocks)) {
    refusing |= operator & ~answered
    if (isQuorum(electorate, refusing)) return blocks
  }
  return null
}
