import type { GroupIndex, MemberIndex, OperatorIndex } from '../runtime/indexes.ts'
import { contains, difference, noOperators, type OperatorSet, setOf, union } from './operator-set.ts'

/** Votes that mean the same. */
export interface Group<Member extends number = MemberIndex> {
  readonly index: GroupIndex
  /** Who voted so, in order of arrival. */
  readonly members: Member[]
  /** Operators that count in it, without those that contradict themselves. */
  operators: OperatorSet
}

/** Counts votes by group. An operator counts once, and nowhere if its nodes contradict each other. */
export class Tally<OwnGroup extends Group<Member>, Member extends number = MemberIndex> {
  readonly groups: OwnGroup[] = []
  /** Operators that have voted, those that contradict themselves included. */
  voted = noOperators
  /** Operators whose nodes contradict each other. */
  split = noOperators

  /** Whether an operator that has voted for both groups counts in the first one; it contradicts itself otherwise. */
  protected mayDiffer(_first: OwnGroup, _second: OwnGroup): boolean {
    return false
  }

  open(make: (index: GroupIndex) => OwnGroup): OwnGroup {
    const group = make(this.groups.length as GroupIndex)
    this.groups.push(group)
    return group
  }

  count(group: OwnGroup, member: Member, operator: OperatorIndex): void {
    group.members.push(member)
    for (const other of this.groups)
      if (other !== group && contains(other.operators, operator)) {
        if (!this.mayDiffer(other, group)) this.#part(other, operator)
        return
      }
    const own = setOf(operator)
    if (!contains(this.split, operator)) group.operators = union(group.operators, own)
    this.voted = union(this.voted, own)
  }

  #part(group: OwnGroup, operator: OperatorIndex): void {
    const own = setOf(operator)
    group.operators = difference(group.operators, own)
    this.split = union(this.split, own)
  }
}
