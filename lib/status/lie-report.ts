import { z } from 'zod'

const count = z.int().min(1).nullable()

const report = z.looseObject({ chains: z.array(z.unknown()) })
const chainOf = z.looseObject({
  chainId: z.int(),
  operatorsToLie: z.looseObject({ everyday: count, protected: count }),
})

/** How many operators would have to tell the same lie for it to become a result, by policy; null where no lie can. */
export type LieReport = z.infer<typeof chainOf>['operatorsToLie']

/** By chain id, of the health route's answer; a chain of which it says nothing valid is left out. */
export function decodeLieReports(value: unknown): ReadonlyMap<number, LieReport> {
  const chains = (report.safeParse(value).data?.chains ?? []).flatMap(
    (each) => chainOf.safeParse(each).data ?? [],
  )
  return new Map(chains.map(({ chainId, operatorsToLie }) => [chainId, operatorsToLie]))
}

/** Two operators may be taken over together. */
const isFew = (operators: number | null) => operators !== null && operators <= 2

export function isLieCheap({
  everyday,
  protected: firm,
}: Pick<LieReport, 'everyday' | 'protected'>): Readonly<Record<'everyday' | 'protected', boolean>> {
  return { everyday: isFew(everyday), protected: isFew(firm) }
}
