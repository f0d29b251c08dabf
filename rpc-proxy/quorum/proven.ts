import { isEmpty } from './operator-set.ts'
import type { ReplyGroup } from './reply-tally.ts'
import { hasEverybodyReplied, resultGroups } from './situation.ts'
import { accept, firstOf, type Strategy, type VerdictRule } from './verdict.ts'

export const provenRule: VerdictRule = {
  id: 'proven',
  label: 'a proof against the agreed block',
  applies: (situation) => resultGroups(situation).length > 0,
  decide(situation, rule) {
    const [group] = resultGroups(situation) as [ReplyGroup]
    return { ...accept(group, rule), raw: group.text }
  },
}

const unproven: VerdictRule = {
  id: 'unproven',
  label: 'no node sends a proof that holds',
  applies: (situation) => situation.late || hasEverybodyReplied(situation),
  decide: (_, rule) => ({ kind: 'failed', rule, reason: 'unproven' }),
}

/** A reply that proves itself is the result, whoever sent it. One node is sent the call after another, and none that stalls is waited for. */
export const provenStrategy: Strategy = {
  decide: firstOf([provenRule, unproven]),
  needsMore: (situation) => resultGroups(situation).length === 0 && isEmpty(situation.awaited),
  mayDiffer: false,
}
