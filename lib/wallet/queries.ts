import { QueryClient } from '@tanstack/react-query'

export const keptMs = 24 * 60 * 60 * 1000

let ofTab: QueryClient | undefined

/**
 * The tab's query cache. Browsers only: on the server, visitors would share it.
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
