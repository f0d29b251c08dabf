import type { QueryClient } from '@tanstack/react-query'

/** Where the query cache is kept between visits. */
export const cacheKey = 'quorate.cache'

/**
 * Wipes what was kept of this visitor's reads. Those in memory go first: a save that is already on its way writes what
 * is there when it runs.
 */
export function forgetCache(queries: QueryClient): void {
  queries.removeQueries({ queryKey: ['chain'] })
  try {
    localStorage.removeItem(cacheKey)
  } catch {
    // No storage, nothing kept.
  }
}
