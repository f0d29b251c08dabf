import { dehydrate, QueryClient } from '@tanstack/react-query'
import { chains } from '#lib/engine/chain-facts.ts'
import { readHealth } from '#lib/engine/engine-reads.ts'
import { defer } from '../page/defer.ts'
import { decodeHealths, type Healths, healthQuery } from '../page/health-query.ts'
import { decodeLieReports, type LieReport } from '../status/lie-report.ts'
import { figureQuery } from './figure.ts'
import { readEngine } from './server-reads.ts'

const healthWithinMs = 400

/**
 * Reads the figure of every chain and their health. The first HTML has what is agreed already, and waits for nothing: the rest is
 * streamed, or left to the browser where it takes longer than `withinMs`.
 */
export async function gatherFigures(address: `0x${string}` | undefined, withinMs: number) {
  const queries = new QueryClient({ defaultOptions: { queries: { gcTime: Number.POSITIVE_INFINITY } } })
  const readChain = readEngine(withinMs)
  const health = healthQuery(() => readHealth(AbortSignal.timeout(healthWithinMs)))
  const figures = chains().map(({ id }) => ({ id, query: figureQuery(readChain, id, address) }))
  await defer(
    Promise.all([...figures.map(({ query }) => queries.prefetchQuery(query)), queries.prefetchQuery(health)]),
  )
  const isLate = (queryKey: readonly unknown[]) => queries.getQueryState(queryKey)?.status === 'pending'
  return {
    state: dehydrate(queries, { shouldDehydrateQuery: () => true }),
    /** The chains whose figure is streamed. */
    lateChains: figures.filter(({ query }) => isLate(query.queryKey)).map(({ id }) => id),
    isHealthLate: isLate(health.queryKey),
  }
}

/** What the gateway's health route says of the chains. */
export interface PublicHealth {
  readonly healths: Healths
  readonly operatorsToLie: ReadonlyMap<number, LieReport>
}

/** Empty when the health route does not answer `withinMs`. */
export async function gatherHealth(withinMs: number): Promise<PublicHealth> {
  const report = await readHealth(AbortSignal.timeout(withinMs)).catch(() => null)
  return { healths: decodeHealths(report), operatorsToLie: decodeLieReports(report) }
}
