import { QueryClient } from '@tanstack/react-query'

export const keptMs = 24 * 60 * 60 * 1000

let ofTab: QueryClient | undefined

/**
 * The tab's one query cache, with the seed's habits: kept a day, never retried, offline first, deaf to window focus. For
 * browsers only: a server's would be shared by its visitors.
 */
export function tabQueries(): QueryClient {
  if (typeof window === 'undefined') throw new Error('the server has no query cache')
  ofTab ??= new QueryClient({
    defaultOptions: {
      queries: { gcTime: keptMs, retry: false, networkMode: 'offlineFirst', refetchOnWindowFocus: false },
      mutations: { gcTime: keptMs, retry: false, networkMode: 'offlineFirst' },
    },
  })
  return ofTab
}
