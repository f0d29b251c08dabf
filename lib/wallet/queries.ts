import { QueryClient } from '@tanstack/react-query'

export const keptMs = 24 * 60 * 60 * 1000

/** A query cache with the seed's habits: kept a day, never retried, offline first, deaf to window focus. */
export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { gcTime: keptMs, retry: false, networkMode: 'offlineFirst', refetchOnWindowFocus: false },
      mutations: { gcTime: keptMs, retry: false, networkMode: 'offlineFirst' },
    },
  })
}
