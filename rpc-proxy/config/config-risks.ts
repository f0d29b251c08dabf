import { electoratesOf } from '../quorum/electorate.ts'
import { isHeldByTwo } from '../quorum/lie.ts'
import type { ChainConfig } from './config-types.ts'

/**
 * Two operators of this chain are more than half of its voters and witnesses: an attacker who controls both controls every result.
 *
 * @example
 * const risky = config.chains.filter(isMajorityOfTwo).map(({ id }) => id)
 */
export function isMajorityOfTwo({ nodes, quorum, operatorsMin, protect }: ChainConfig): boolean {
  return isHeldByTwo(
    electoratesOf(nodes, { quorum, operatorsMin, protectOperatorsMin: protect.operatorsMin }),
  )
}
