import type { QueryClient } from '@tanstack/react-query'
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
    persister: { persistClient: save, restoreClient: restore, removeClient: remove },
    maxAge: keptMs,
    buster: schema,
    dehydrateOptions: {
      shouldDehydrateQuery: (query: { queryKey: readonly unknown[]; state: { status: string } }) =>
        query.queryKey[0] === 'chain' && query.state.status === 'success',
      shouldDehydrateMutation: () => false,
    },
  }
  void persistQueryClientRestore(options).catch(remove)
  persistQueryClientSubscribe(options)
}

/** Null for what is not ours, and for a moment in the future: stock code would keep that for ever. */
export function restorable(text: string | null, nowMs: number): PersistedClient | undefined {
  if (!text) return undefined
  const client: unknown = JSON.parse(text)
  if (typeof client !== 'object' || client === null) return undefined
  const { timestamp, clientState } = client as Partial<PersistedClient>
  if (typeof timestamp !== 'number' || timestamp > nowMs || !Array.isArray(clientState?.queries))
    return undefined
  const queries = clientState.queries.filter(
    ({ queryKey, state }) =>
      queryKey?.[0] === 'chain' && state?.status === 'success' && state.dataUpdatedAt <= nowMs,
  )
  return { ...(client as PersistedClient), clientState: { queries, mutations: [] } }
}

function restore(): PersistedClient | undefined {
  try {
    return restorable(localStorage.getItem(cacheKey), Date.now())
  } catch {
    return undefined
  }
}

function save(client: PersistedClient): void {
  try {
    localStorage.setItem(cacheKey, JSON.stringify(client))
  } catch {
    // Full or forbidden: a return starts from the server's paint instead.
  }
}

function remove(): void {
  try {
    localStorage.removeItem(cacheKey)
  } catch {
    // Nothing there.
  }
}
