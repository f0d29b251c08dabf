import { QueryClient } from '@tanstack/react-query'

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
