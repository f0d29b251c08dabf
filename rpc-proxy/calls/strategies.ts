import type { MethodSpec, StrategyId } from '../methods/method-spec.ts'
import { equality, logs } from '../quorum/equality.ts'
import { joining } from '../quorum/joined-groups.ts'
import { lookup } from '../quorum/lookup.ts'
import { ending, highest } from '../quorum/numbers.ts'
import { orLower } from '../quorum/retry-lower.ts'
import type { Strategy } from '../quorum/verdict.ts'
import { CallError } from '../runtime/errors.ts'
import { identitiesOf } from '../wire/reply-identity.ts'
import { estimateStrategy } from './estimate.ts'

type Make = (rule: MethodSpec, chainId: number) => Strategy

/** The strategies by which votes become a verdict. Methods with another one are never voted on. */
const strategies: Partial<Record<StrategyId, Make>> = {
  equality: (rule, chainId) => joiningWays(equality, rule, chainId),
  lookup: (rule, chainId) => joiningWays(lookup, rule, chainId),
  logs: () => logs,
  estimate: (_, chainId) => estimateStrategy(chainId),
  ending: () => ending,
  highest: () => highest,
}

/** By rule and chain: made once, since each call needs one. */
const made = new WeakMap<MethodSpec, Map<number, Strategy>>()

/** How votes on calls of this rule become a verdict. */
export function strategyOf(rule: MethodSpec, chainId: number): Strategy {
  const ofRule = made.get(rule) ?? new Map<number, Strategy>()
  const strategy = ofRule.get(chainId) ?? orLower(newStrategy(rule, chainId))
  made.set(rule, ofRule.set(chainId, strategy))
  return strategy
}

function newStrategy(rule: MethodSpec, chainId: number): Strategy {
  const make = strategies[rule.strategy]
  if (make === undefined) throw new CallError('breach', { detail: `${rule.method} is not voted on` })
  return make(rule, chainId)
}

function joiningWays(strategy: Strategy, { shape }: MethodSpec, chainId: number): Strategy {
  const identities = identitiesOf(shape, chainId)
  return identities === null ? strategy : joining(strategy, identities)
}
