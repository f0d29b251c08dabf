import type { ChainSnapshot } from '#lib/engine/engine-reads.ts'

/** Two everyday operators, or fewer than three protected ones: so few may have been taken over together. */
export function isLieCheap({ everyday, protected: firm }: ChainSnapshot['operatorsToLie']): boolean {
  return (everyday !== null && everyday <= 2) || (firm !== null && firm < 3)
}
