import type { OperatorIndex } from '../runtime/indexes.ts'
import {
  countOperators,
  difference,
  type Electorate,
  type Electorates,
  isEmpty,
  isQuorum,
  listOperators,
  type OperatorSet,
  setOf,
  union,
  weightOf,
} from './electorate.ts'
import { lastStep, startingPolicy } from './policy.ts'

/** The fewest operators that are a quorum together; null where not even all of them are. */
export function fewestOperators(electorate: Electorate): number | null {
  const weight = (operator: OperatorIndex) => weightOf(electorate, setOf(operator))
  const others = listOperators(difference(electorate.eligible, electorate.required)).toSorted(
    (one, other) => weight(other) - weight(one),
  )
  let liars = electorate.required
  if (isQuorum(electorate, liars)) return countOperators(liars)
  for (const operator of others) {
    liars = union(liars, setOf(operator))
    if (isQuorum(electorate, liars)) return countOperators(liars)
  }
  return null
}

/** By which rule an everyday round would be decided now: one that is tightened, and that witnesses cannot complete, is thin. */
export function everydayRule(
  { everyday, tightened, mayTighten }: Electorates,
  usable: OperatorSet,
): 'everyday' | 'tightened' | 'thin' {
  const isDoubtful = !isEmpty(difference(everyday.eligible, usable))
  if (startingPolicy('everyday', { mayTighten, isDoubtful }) === 'everyday') return 'everyday'
  return lastStep('tightened', { isAgreed: isQuorum(tightened, usable) }) === 'accept' ? 'tightened' : 'thin'
}

/** How many operators would have to tell one lie for it to become a result now. Null: none can, there is no quorum. */
export function operatorsToLie(electorates: Electorates, usable: OperatorSet) {
  const rule = everydayRule(electorates, usable)
  return {
    everyday: fewestOperators(electorates[rule === 'thin' ? 'degraded' : rule]),
    protected: fewestOperators(electorates.protected),
  }
}

/** `everyday`: those that everyday rounds may be sent to, without witnesses that are left to protected calls. */
interface Usable {
  readonly usable: OperatorSet
  readonly everyday: OperatorSet
}

/** Whether usable operators could complete a quorum of each policy now; null where not even all operators are one, or no round has it. */
export function inReachOf(electorates: Electorates, { usable, everyday }: Usable) {
  const { tightened, degraded, mayTighten } = electorates
  const isInReach = (electorate: Electorate, operators: OperatorSet) =>
    fewestOperators(electorate) === null ? null : isQuorum(electorate, operators)
  return {
    // A thin round included: below that nothing can be agreed on. Witnesses may complete what too few voters cannot.
    everyday: [degraded, tightened].some((each) => isQuorum(each, usable)),
    tightened: mayTighten ? isInReach(tightened, everyday) : null,
    protected: isInReach(electorates.protected, usable),
  }
}
