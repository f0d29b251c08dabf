import type { MethodSpec, StrategyId } from '../methods/method-spec.ts'
import { equality, logs } from '../quorum/equality.ts'
import { joining } from '../quorum/joined-groups.ts'
import { lookup } from '../quorum/lookup.ts'
import { highest, succeeds } from '../quorum/numbers.ts'
import { orRetryLower, type Strategy } from '../quorum/verdict.ts'
import { CallError } from '../runtime/errors.ts'
import { identitiesOf } from '../wire/reply-identity.ts'
import { estimateStrategy } from './estimate.ts'

type Make = (spec: MethodSpec, chainId: number) => Strategy

/** The strategies by which votes become a verdict. Methods with another one are never voted on. */
const strategies: Partial<Record<StrategyId, Make>> = {
  equality: (spec, chainId) => joiningWays(equality, spec, chainId),
  lookup: (spec, chainId) => joiningWays(lookup, spec, chainId),
  logs: () => logs,
  estimate: (_, chainId) => estimateStrategy(chainId),
  succeeds: () => succeeds,
  highest: () => highest,
}

/** By method and chain: made once, since each call needs one. */
const made = new WeakMap<MethodSpec, Map<number, Strategy>>()

/** How votes on calls of this method become a verdict. */
export function strategyOf(spec: MethodSpec, chainId: number): Strategy {
  const ofSpec = made.get(spec) ?? new Map<number, Strategy>()
  const strategy = ofSpec.get(chainId) ?? orRetryLower(newStrategy(spec, chainId))
  made.set(spec, ofSpec.set(chainId, strategy))
  return strategy
}

function newStrategy(spec: MethodSpec, chainId: number): Strategy {
  const make = strategies[spec.strategy]
  if (make === undefined) throw new CallError('breach', { detail: `${spec.method} is not voted on` })
  return make(spec, chainId)
}

function joiningWays(strategy: Strategy, { shape }: MethodSpec, chainId: number): Strategy {
  const identities = identitiesOf(shape, chainId)
  return identities === null ? strategy : joining(strategy, identities)
}
