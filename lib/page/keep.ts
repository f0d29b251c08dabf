import { createSyncStoragePersister } from '@tanstack/query-sync-storage-persister'
import type { Query, QueryClient } from '@tanstack/react-query'
import {
  type PersistedClient,
  persistQueryClientRestore,
  persistQueryClientSubscribe,
} from '@tanstack/react-query-persist-client'
import { cacheKey } from '#lib/wallet/kept.ts'
import { keptMs } from '#lib/wallet/queries.ts'

/** Changes whenever what is kept changes its shape. */
const schema = 'chain-view-1'

const kept = new WeakSet<QueryClient>()

/**
 * Keeps public, block-stamped reads for a day, so that a return starts from what was last agreed. Nothing else is ever
 * kept: no client, no signature, no pending transaction. Without storage, or with a full one, it does nothing.
 */
export function keepQueries(queryClient: QueryClient): void {
  if (kept.has(queryClient)) return
  kept.add(queryClient)
  const options = {
    queryClient,
    persister: createSyncStoragePersister({ storage: storage(), key: cacheKey, deserialize }),
    maxAge: keptMs,
    buster: schema,
    dehydrateOptions: {
      // What was agreed is kept though the latest answer was a refusal.
      shouldDehydrateQuery: ({ queryKey, state }: Pick<Query, 'queryKey' | 'state'>) =>
        queryKey[0] === 'chain' && state.data !== undefined,
      shouldDehydrateMutation: () => false,
    },
  }
  // What cannot be read is removed by the library, or cannot be: either way nothing was kept.
  void persistQueryClientRestore(options).catch(() => {})
  persistQueryClientSubscribe(options)
}

/** Undefined for what is not ours, and for a moment in the future: stock code would keep that for ever. */
export function restorable(text: string, nowMs: number): PersistedClient | undefined {
  const client: unknown = JSON.parse(text)
  if (typeof client !== 'object' || client === null) return undefined
  const { timestamp, clientState } = client as Partial<PersistedClient>
  if (typeof timestamp !== 'number' || timestamp > nowMs || !Array.isArray(clientState?.queries))
    return undefined
  const queries = clientState.queries
    .filter(isRestorable(nowMs))
    .map(({ promise: _, ...query }) => ({ ...query, state: { ...query.state, ...settled } }))
  return { ...(client as PersistedClient), clientState: { queries, mutations: [] } }
}

type Kept = PersistedClient['clientState']['queries'][number]

const settled = {
  status: 'success',
  fetchStatus: 'idle',
  error: null,
  fetchFailureCount: 0,
  fetchFailureReason: null,
  isInvalidated: false,
} as const

// Each read is as old as itself: the whole is saved anew with every visit.
const isRestorable =
  (nowMs: number) =>
  (query: Partial<Kept> | null): query is Kept =>
    query?.queryKey?.[0] === 'chain' &&
    query.state?.data !== undefined &&
    query.state.dataUpdatedAt <= nowMs &&
    query.state.dataUpdatedAt > nowMs - keptMs

// Thrown, so that the library removes it.
function deserialize(text: string): PersistedClient {
  const client = restorable(text, Date.now())
  if (!client) throw new Error('what was kept is not ours')
  return client
}

// Some browsers refuse even to name it.
function storage(): Storage | null {
  try {
    return localStorage
  } catch {
    return null
  }
}
