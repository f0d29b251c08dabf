import type { LieReport } from './lie-report.ts'

/** Two operators of everyday results, or fewer than three of protected ones, may be taken over together. */
export function isLieCheap({
  everyday,
  protected: firm,
}: Pick<LieReport, 'everyday' | 'protected'>): Readonly<Record<'everyday' | 'protected', boolean>> {
  return { everyday: everyday !== null && everyday <= 2, protected: firm !== null && firm < 3 }
}
