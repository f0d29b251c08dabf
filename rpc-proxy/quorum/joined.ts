import type { EssenceOf } from '../wire/essence.ts'
import { isQuorum, type Operators, weightOf } from './electorate.ts'
import { answers, type Situation } from './situation.ts'
import type { Camp } from './tally.ts'
import { type Agreed, aheadOfMany, type Judge } from './verdict.ts'

/**
 * The same judge, but where it would fail, camps are joined that say one thing in different ways. What stands in some of the
 * ways only is returned as far as a quorum has it alike. Where one camp could still win alone, nothing is joined.
 */
export function joining(judge: Judge, essenceOf: EssenceOf): Judge {
  return {
    ...judge,
    decide(situation) {
      const verdict = judge.decide(situation)
      const isLost = verdict?.kind === 'failed' && verdict.rule !== aheadOfMany.name
      return isLost ? (joined(situation, essenceOf) ?? verdict) : verdict
    },
  }
}

/** Where more nodes answer, the call may be answered whole: what is agreed by this rule is never kept. */
export const joinedRule = 'enough weight agrees on what all makes write alike'

function joined(situation: Situation, essenceOf: EssenceOf): Agreed | null {
  const { electorate } = situation
  const groups = new Map<string, Map<string, Camp>>()
  const isLacked = situation.camps.some(({ isNull }) => isNull)
  for (const camp of answers(situation)) {
    const isDoubted = isLacked && situation.isSuspicious(camp.variants[0]?.value)
    const essence = camp.isNull || camp.operators === 0 || isDoubted ? null : essenceOf(camp.text)
    if (essence === null) continue
    const ways = groups.get(essence.text) ?? new Map<string, Camp>()
    groups.set(essence.text, ways)
    const other = ways.get(essence.way)
    const isHeavier =
      other === undefined || weightOf(electorate, camp.operators) > weightOf(electorate, other.operators)
    if (isHeavier) ways.set(essence.way, camp)
  }
  for (const ways of groups.values()) {
    const [first, ...others] = [...ways.values()] as [Camp, ...Camp[]]
    const operators = others.reduce<Operators>((set, camp) => set | camp.operators, first.operators)
    if (others.length === 0 || !isQuorum(electorate, operators)) continue
    return {
      kind: 'agreed',
      rule: joinedRule,
      camp: { ...first, operators, variants: [first, ...others].flatMap(({ variants }) => variants) },
      operators,
      joined: others.map(({ place }) => place),
      raw: null,
    }
  }
  return null
}
