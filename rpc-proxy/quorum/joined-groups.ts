import type { IdentityOf } from '../wire/reply-identity.ts'
import { isEmpty, isQuorum, operatorsIn, weightOf } from './electorate.ts'
import type { ReplyGroup } from './tally.ts'
import {
  type AgreedVerdict,
  blockMissing,
  type RuleName,
  resultGroups,
  type Situation,
  type Strategy,
} from './verdict.ts'

/** Where more nodes reply, the call may be answered whole: what is agreed by this rule is never cached. */
const rule: RuleName = { id: 'joined', label: 'enough weight agrees on what all clients write alike' }

/**
 * The same strategy, but where it would fail, groups are joined that say one thing in different ways. What only some of the
 * ways contain is returned as far as a quorum has it alike. Where one group could still win alone, none are joined.
 */
export function joining(strategy: Strategy, identityOf: IdentityOf): Strategy {
  return {
    ...strategy,
    decide(situation) {
      const verdict = strategy.decide(situation)
      const isLost = verdict?.kind === 'failed' && verdict.rule.id !== blockMissing.id
      return isLost ? (joined(situation, identityOf) ?? verdict) : verdict
    },
  }
}

function joined(situation: Situation, identityOf: IdentityOf): AgreedVerdict | null {
  const { electorate } = situation
  for (const ways of byIdentity(situation, identityOf).values()) {
    const groups = [...ways.values()]
    const [first, ...others] = groups as [ReplyGroup, ...ReplyGroup[]]
    const operators = operatorsIn(groups)
    if (others.length === 0 || !isQuorum(electorate, operators)) continue
    return {
      kind: 'agreed',
      rule,
      group: { ...first, operators, variants: groups.flatMap(({ variants }) => variants) },
      operators,
      joined: others.map(({ index }) => index),
      raw: null,
    }
  }
  return null
}

/** The heaviest group of each way to write one identity, by identity and way. */
function byIdentity(situation: Situation, identityOf: IdentityOf): Map<string, Map<string, ReplyGroup>> {
  const { electorate, groups, isSuspicious } = situation
  const found = new Map<string, Map<string, ReplyGroup>>()
  const isLacked = groups.some(({ isNull }) => isNull)
  for (const group of resultGroups(situation)) {
    const isDoubted = isLacked && isSuspicious(group.variants[0]?.value)
    const identity = group.isNull || isEmpty(group.operators) || isDoubted ? null : identityOf(group.text)
    if (identity === null) continue
    const ways = found.get(identity.text) ?? new Map<string, ReplyGroup>()
    found.set(identity.text, ways)
    const other = ways.get(identity.way)
    if (other === undefined || weightOf(electorate, group.operators) > weightOf(electorate, other.operators))
      ways.set(identity.way, group)
  }
  return found
}
