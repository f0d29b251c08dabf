import { estimateJudge } from './estimate.ts'
import type { Rule } from './methods/rule.ts'
import { joining } from './quorum/joined.ts'
import { lookup } from './quorum/lookup.ts'
import { orLower } from './quorum/lower.ts'
import { ending, highest } from './quorum/numbers.ts'
import { equality, type Judge, logs } from './quorum/verdict.ts'
import { essencesOf } from './wire/essence.ts'

/** Judges by rule and chain: made once, since each call needs one. */
const judges = new WeakMap<Rule, Map<number, Judge>>()

/** How replies to calls of this rule become one. */
export function judgeOf(rule: Rule, chainId: number): Judge {
  const ofRule = judges.get(rule) ?? new Map<number, Judge>()
  const judge = ofRule.get(chainId) ?? orLower(newJudge(rule, chainId))
  judges.set(rule, ofRule.set(chainId, judge))
  return judge
}

function newJudge({ agreement, nullable, shape }: Rule, chainId: number): Judge {
  if (agreement === 'estimate') return estimateJudge(chainId)
  if (agreement === 'highest') return highest
  if (agreement === 'ending') return ending
  if (shape === 'logs') return logs
  const judge = nullable ? lookup : equality
  const essences = essencesOf(shape, chainId)
  return essences === null ? judge : joining(judge, essences)
}
