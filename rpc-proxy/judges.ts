import { estimateStrategy } from './estimate.ts'
import type { Rule } from './methods/rule.ts'
import { equality, logs } from './quorum/equality.ts'
import { joining } from './quorum/joined.ts'
import { lookup } from './quorum/lookup.ts'
import { orLower } from './quorum/lower.ts'
import { ending, highest } from './quorum/numbers.ts'
import type { Strategy } from './quorum/verdict.ts'
import { essencesOf } from './wire/essence.ts'

/** Strategies by rule and chain: made once, since each call needs one. */
const strategies = new WeakMap<Rule, Map<number, Strategy>>()

/** How votes on calls of this rule become a verdict. */
export function strategyOf(rule: Rule, chainId: number): Strategy {
  const ofRule = strategies.get(rule) ?? new Map<number, Strategy>()
  const strategy = ofRule.get(chainId) ?? orLower(newStrategy(rule, chainId))
  strategies.set(rule, ofRule.set(chainId, strategy))
  return strategy
}

function newStrategy({ agreement, nullable, shape }: Rule, chainId: number): Strategy {
  if (agreement === 'estimate') return estimateStrategy(chainId)
  if (agreement === 'highest') return highest
  if (agreement === 'ending') return ending
  if (shape === 'logs') return logs
  const strategy = nullable ? lookup : equality
  const essences = essencesOf(shape, chainId)
  return essences === null ? strategy : joining(strategy, essences)
}
