import { type DehydratedState, dehydrate, QueryClient } from '@tanstack/react-query'
import { chains } from '#lib/engine/chain-facts.ts'
import { readHealth } from '#lib/engine/engine-reads.ts'
import { defer } from '../page/defer.ts'
import { healthQuery } from '../page/health-query.ts'
import { decodeHealths, type Healths } from '../page/healths.ts'
import { decodeLieReports, type LieReport } from '../status/lie-report.ts'
import { figureQuery } from './figure.ts'
import { readEngine } from './server-reads.ts'

const healthWithinMs = 400

/** Reads the figure of every chain and their health. What is not ready for the first byte is streamed; late figures are left to the browser. */
export async function gatherFigures(
  address: `0x${string}` | undefined,
  withinMs: number,
): Promise<DehydratedState> {
  const queries = new QueryClient({ defaultOptions: { queries: { gcTime: Number.POSITIVE_INFINITY } } })
  const readChain = readEngine(withinMs)
  await defer(
    Promise.all([
      ...chains().map(({ id }) => queries.prefetchQuery(figureQuery(readChain, id, address))),
      queries.prefetchQuery(healthQuery(() => readHealth(AbortSignal.timeout(healthWithinMs)))),
    ]),
  )
  return dehydrate(queries, { shouldDehydrateQuery: () => true })
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
