import { QueryClient } from '@tanstack/react-query'

/** localStorage key of the persisted query cache. */
export const cacheKey = 'quorate.cache'

/**
 * Deletes the persisted reads of this visitor. Those in memory are removed first, because a scheduled save writes what is in
 * memory when it runs.
 */
export function forgetCache(queries: QueryClient): void {
  queries.removeQueries({ queryKey: ['chain'] })
  try {
    localStorage.removeItem(cacheKey)
  } catch {
    // Without storage nothing was persisted.
  }
}

export const keptMs = 24 * 60 * 60 * 1000

/** The query cache of a tab; on the server, of one request, because visitors would share it. */
export function createQueries(): QueryClient {
  // On the server a timer for each query of each visitor would hold their caches for a day.
  const gcTime = typeof window === 'undefined' ? Number.POSITIVE_INFINITY : keptMs
  return new QueryClient({
    defaultOptions: {
      queries: { gcTime, retry: false, networkMode: 'offlineFirst', refetchOnWindowFocus: false },
      mutations: { gcTime, retry: false, networkMode: 'offlineFirst' },
    },
  })
}
