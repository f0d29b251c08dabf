import { QueryClient } from '@tanstack/react-query'

export const keptMs = 24 * 60 * 60 * 1000

/** The query cache of a tab; on the server, of one request, because visitors would share it. */
export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { gcTime: keptMs, retry: false, networkMode: 'offlineFirst', refetchOnWindowFocus: false },
      mutations: { gcTime: keptMs, retry: false, networkMode: 'offlineFirst' },
    },
  })
}
