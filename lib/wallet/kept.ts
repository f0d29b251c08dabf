import type { QueryClient } from '@tanstack/react-query'

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
