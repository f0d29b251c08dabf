import { createSyncStoragePersister } from '@tanstack/query-sync-storage-persister'
import { hashKey, type Query, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { type PersistedClient, persistQueryClientSubscribe } from '@tanstack/react-query-persist-client'
import { ownStorage } from '#lib/page/stored-list.ts'
import { isRecord } from '#lib/parse-json.ts'
import type { Figure } from '#lib/reads/figure.ts'
import { cacheKey, isForgotten, persistedMs, preferKnown } from '#lib/wallet/query-cache.ts'

/** Change it whenever the shape of the persisted data changes. */
const schema = 'figure-1'

export const dehydrateOptions = {
  // The last agreed value is persisted even if the latest answer was a refusal.
  shouldDehydrateQuery: ({ queryKey, state }: Pick<Query, 'queryKey' | 'state'>) =>
    queryKey[0] === 'chain' && !isForgotten(queryKey) && state.data !== undefined,
  shouldDehydrateMutation: () => false,
}

/**
 * Persists public, block-stamped reads for a day, so that a returning visitor sees the last agreed values at once. Nothing else
 * is persisted: no client, no signature, no pending transaction. Without storage, or when it is full, it does nothing. No component
 * waits for what is restored: what the browser reads meanwhile is newer.
 */
export function persistFigures(queryClient: QueryClient): void {
  const storage = ownStorage()
  restoreFigures(
    queryClient,
    storedFigures(() => storage?.getItem(cacheKey) ?? '', Date.now()),
  )
  const serialize = (client: PersistedClient) =>
    JSON.stringify(client, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
  const persister = createSyncStoragePersister({ storage, key: cacheKey, serialize })
  persistQueryClientSubscribe({ queryClient, persister, buster: schema, dehydrateOptions })
}

/** A figure of an earlier visit. */
interface StoredFigure {
  readonly queryKey: QueryKey
  readonly queryHash: string
  readonly figure: Figure<unknown>
  readonly updatedAt: number
}

/**
 * What the server handed over is hydrated as it is in the HTML: React drops what differs. Where it has no value, it is newer than
 * that of an earlier visit, which is shown all the same, once a component observes it.
 */
function restoreFigures(queries: QueryClient, figures: readonly StoredFigure[]): void {
  const cache = queries.getQueryCache()
  const waiting = new Map(figures.map(({ queryHash, figure }) => [queryHash, figure]))
  for (const { queryKey, figure, updatedAt } of figures)
    if (queries.getQueryState(queryKey) === undefined) queries.setQueryData(queryKey, figure, { updatedAt })
  function merge({ queryHash, queryKey, state: now }: Query): void {
    const last = waiting.get(queryHash)
    if (last === undefined || now.data === undefined) return
    waiting.delete(queryHash)
    queries.setQueryData(queryKey, preferKnown(last, now.data), { updatedAt: now.dataUpdatedAt })
  }
  for (const query of cache.getAll()) if (query.getObserversCount() > 0) merge(query)
  cache.subscribe(({ type, query }) => {
    if (type === 'observerAdded') merge(query)
  })
}

type PersistedQuery = PersistedClient['clientState']['queries'][number]

/**
 * The figures that can be shown. Anything may have written to this storage, some browsers throw where it is read, and a page that
 * fails would read it again at each visit.
 */
export function storedFigures(read: () => string, nowMs: number): readonly StoredFigure[] {
  try {
    const { buster, clientState }: PersistedClient = JSON.parse(read(), revive)
    if (buster !== schema) return []
    return clientState.queries.filter(isRestorable(nowMs)).map(({ queryKey, state }) => ({
      queryKey,
      queryHash: hashKey(queryKey),
      // It was agreed on at that time. Whether it still is, the next answer tells.
      figure: { ...(state.data as Figure<unknown>), why: 'waiting' },
      updatedAt: state.dataUpdatedAt,
    }))
  } catch {
    return []
  }
}

/** By the age of each read: the timestamp of the whole is renewed with every visit. */
const isRestorable = (nowMs: number) => (query: PersistedQuery | null) => {
  const { queryKey, state } = query ?? {}
  const { known, knownMs } = (state?.data ?? {}) as Partial<Figure<unknown>>
  if (queryKey?.[0] !== 'chain' || !state || !known) return false
  const isShowable = queryKey.at(-1) === 'tokens' ? isBalances(known.value) : isUnits(known.value)
  const isStamped = [known.block ?? 0, knownMs].every(Number.isInteger)
  const ageMs = nowMs - state.dataUpdatedAt
  return isShowable && isStamped && ageMs >= 0 && ageMs < persistedMs
}

const isUnits = (value: unknown) => typeof value === 'bigint'

/** Of tokens, of which some may be unknown. */
const isBalances = (value: unknown) =>
  isRecord(value) && Object.values(value).every((units) => units === null || isUnits(units))

const revive = (_: string, value: unknown) =>
  typeof value === 'string' && /^\d{1,78}n$/.test(value) ? BigInt(value.slice(0, -1)) : value
