import type { ChainSnapshot } from '#lib/engine/engine-reads.ts'

type OperatorsToLie = ChainSnapshot['operatorsToLie']

/** Two operators of everyday results, or fewer than three of protected ones, may be taken over together. */
export function isLieCheap({
  everyday,
  protected: firm,
}: OperatorsToLie): Readonly<Record<keyof OperatorsToLie, boolean>> {
  return { everyday: everyday !== null && everyday <= 2, protected: firm !== null && firm < 3 }
}
