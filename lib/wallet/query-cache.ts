import { QueryClient, type QueryKey } from '@tanstack/react-query'

/** localStorage key of the persisted query cache. */
export const cacheKey = 'quorate.cache'

/** Accounts that were disconnected in this tab. */
const forgotten = new Set<unknown>()

/**
 * Deletes the persisted reads of this visitor. Those in memory are removed first, because a scheduled save writes what is in
 * memory when it runs. A component that still shows the account for a moment may read it again: see `isForgotten`.
 */
export function forgetCache(queries: QueryClient, accounts: readonly string[]): void {
  for (const account of accounts) forgotten.add(account)
  queries.removeQueries({ queryKey: ['chain'] })
  try {
    localStorage.removeItem(cacheKey)
  } catch {
    // Without storage nothing was persisted.
  }
}

/** The account is connected again. */
export function unforget(account: string | undefined): void {
  forgotten.delete(account)
}

/** Whether a figure, `['chain', chainId, account, ...]`, is of an account that was disconnected: it may not be persisted. */
export const isForgotten = ([, , account]: QueryKey): boolean => forgotten.has(account)

export const persistedMs = 24 * 60 * 60 * 1000

/** The query cache of a tab; on the server, of one request, because visitors would share it. */
export function createQueries(): QueryClient {
  // On the server a timer for each query of each visitor would hold their caches for a day.
  const gcTime = typeof window === 'undefined' ? Number.POSITIVE_INFINITY : persistedMs
  const mutations = { gcTime, retry: false, networkMode: 'offlineFirst' } as const
  const queries = new QueryClient({
    defaultOptions: { mutations, queries: { ...mutations, refetchOnWindowFocus: false } },
  })
  // By key, because what the server streams is taken before a component has asked for it.
  queries.setQueryDefaults(['chain'], { structuralSharing: preferKnown })
  return queries
}

interface Known {
  readonly known: object | null
  readonly knownMs: number | null
}

/** A figure of a chain that has no value keeps the last one, of an earlier visit too. */
export function preferKnown(last: unknown, next: unknown): unknown {
  const [before, now] = [last, next] as [Known | undefined, Known]
  return before?.known && now.known === null ? { ...now, known: before.known, knownMs: before.knownMs } : now
}
