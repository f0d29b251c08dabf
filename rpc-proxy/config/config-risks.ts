import { electoratesOf } from '../quorum/electorate.ts'
import type { ChainConfig } from './config-types.ts'

/**
 * What an operator should know of the nodes of a chain before it is served: two operators that are more than half of its voters and
 * witnesses, so that an attacker who controls both controls every result. Null where there is nothing to say.
 *
 * @example
 * for (const chain of config.chains) if (chainRisk(chain) !== null) console.warn(chainRisk(chain))
 */
export function chainRisk(chain: ChainConfig): string | null {
  const { weights, total } = electoratesOf(chain).tightened
  const [first = 0, second = 0] = weights.toSorted((one, other) => other - one)
  return (first + second) * 2 > total
    ? `chain ${chain.id}: two operators are more than half of all weight; add voters or witnesses (docs/risk.md)`
    : null
}
