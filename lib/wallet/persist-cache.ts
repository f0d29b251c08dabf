import { createSyncStoragePersister } from '@tanstack/query-sync-storage-persister'
import { hashKey, type Query, type QueryClient } from '@tanstack/react-query'
import {
  type PersistedClient,
  type PersistQueryClientOptions,
  persistQueryClientRestore,
  persistQueryClientSubscribe,
} from '@tanstack/react-query-persist-client'
import { ownStorage } from '#lib/page/stored-list.ts'
import { isRecord } from '#lib/parse-json.ts'
import type { Figure } from '#lib/reads/figure.ts'
import { cacheKey, isForgotten, persistedMs, preferKnown } from '#lib/wallet/query-cache.ts'

/** Change it whenever the shape of the persisted data changes. */
const schema = 'figure-1'

/**
 * Persists public, block-stamped reads for a day, so that a returning visitor sees the last agreed values at once. Nothing else
 * is persisted: no client, no signature, no pending transaction. Without storage, or when it is full, it does nothing.
 */
export function createPersistOptions(queries: QueryClient): Omit<PersistQueryClientOptions, 'queryClient'> {
  const deserialize = (text: string) => withoutHandedOver(clientIn(text), queries)
  return {
    persister: createSyncStoragePersister({ storage: ownStorage(), key: cacheKey, serialize, deserialize }),
    maxAge: persistedMs,
    buster: schema,
    dehydrateOptions: {
      // The last agreed value is persisted even if the latest answer was a refusal.
      shouldDehydrateQuery: ({ queryKey, state }: Pick<Query, 'queryKey' | 'state'>) =>
        queryKey[0] === 'chain' && !isForgotten(queryKey) && state.data !== undefined,
      shouldDehydrateMutation: () => false,
    },
  }
}

/** Restores what is persisted, and persists from then on. No component waits for it: what the browser reads meanwhile is newer. */
export async function persistFigures(queryClient: QueryClient): Promise<void> {
  const options = { ...createPersistOptions(queryClient), queryClient }
  await persistQueryClientRestore(options).catch(() => {})
  restoreKnown(queryClient)
  persistQueryClientSubscribe(options)
}

let restored: readonly PersistedQuery[] = []

/**
 * What the server handed over is hydrated as it is in the HTML: React drops what differs. The library would replace what is
 * still streamed by the figures of an earlier visit.
 */
function withoutHandedOver(client: PersistedClient, queries: QueryClient): PersistedClient {
  const isNew = ({ queryKey }: PersistedQuery) => queries.getQueryState(queryKey) === undefined
  return {
    ...client,
    clientState: { ...client.clientState, queries: client.clientState.queries.filter(isNew) },
  }
}

/**
 * A figure that the server answered without a value is newer than that of an earlier visit, which is shown all the same: once
 * the figure has been hydrated, so that a component observes it. Returns the end of it.
 */
export function restoreKnown(queries: QueryClient): () => void {
  const cache = queries.getQueryCache()
  const waiting = new Map(restored.map(({ queryKey, state }) => [hashKey(queryKey), state.data]))
  function merge({ queryHash, queryKey, state: now }: Query): void {
    const last = waiting.get(queryHash)
    if (last === undefined || now.data === undefined) return
    waiting.delete(queryHash)
    queries.setQueryData(queryKey, preferKnown(last, now.data), { updatedAt: now.dataUpdatedAt })
  }
  for (const query of cache.getAll()) if (query.getObserversCount() > 0) merge(query)
  return cache.subscribe(({ type, query }) => {
    if (type === 'observerAdded') merge(query)
  })
}

/** Undefined for foreign data, and for a timestamp in the future, which the library would keep for ever. */
export function restorable(text: string, nowMs: number): PersistedClient | undefined {
  const client = JSON.parse(text, revive) as Partial<PersistedClient> | null
  const { timestamp, clientState } = client ?? {}
  if (typeof timestamp !== 'number' || timestamp > nowMs || !Array.isArray(clientState?.queries))
    return undefined
  const queries = clientState.queries.filter(isRestorable(nowMs)).map(({ promise: _, ...query }) => ({
    ...query,
    // It was agreed on at that time. Whether it still is, the next answer tells.
    state: { ...query.state, ...settled, data: { ...(query.state.data as object), why: 'waiting' } },
  }))
  return { ...(client as PersistedClient), clientState: { queries, mutations: [] } }
}

type PersistedQuery = PersistedClient['clientState']['queries'][number]

const settled = {
  status: 'success',
  fetchStatus: 'idle',
  error: null,
  fetchFailureCount: 0,
  fetchFailureReason: null,
  isInvalidated: false,
} as const

// By the age of each read: the timestamp of the whole is renewed with every visit.
const isRestorable =
  (nowMs: number) =>
  (query: Partial<PersistedQuery> | null): query is PersistedQuery =>
    query?.queryKey?.[0] === 'chain' &&
    isKnown(query.state, query.queryKey.at(-1) === 'tokens' ? isBalances : isUnits) &&
    query.state.dataUpdatedAt <= nowMs &&
    query.state.dataUpdatedAt > nowMs - persistedMs

/** Whether it can be shown. Anything may have written to this storage, and a page that fails would read it again at each visit. */
function isKnown(
  state: PersistedQuery['state'] | undefined,
  isShowable: (value: unknown) => boolean,
): state is PersistedQuery['state'] {
  const { known, knownMs } = (state?.data ?? {}) as Partial<Figure<unknown>>
  return !!known && isShowable(known.value) && [known.block ?? 0, knownMs].every(Number.isInteger)
}

const isUnits = (value: unknown) => typeof value === 'bigint'

/** Of tokens, of which some may be unknown. */
const isBalances = (value: unknown) =>
  isRecord(value) && Object.values(value).every((units) => units === null || isUnits(units))

const serialize = (client: PersistedClient) =>
  JSON.stringify(client, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))

const revive = (_: string, value: unknown) =>
  typeof value === 'string' && /^\d{1,78}n$/.test(value) ? BigInt(value.slice(0, -1)) : value

// Throws so that the library removes it.
function clientIn(text: string): PersistedClient {
  const client = restorable(text, Date.now())
  if (!client) throw new Error('unknown persisted data')
  // The library decides by these after this.
  const isUsable = client.buster === schema && client.timestamp > Date.now() - persistedMs
  restored = isUsable ? client.clientState.queries : []
  return client
}
