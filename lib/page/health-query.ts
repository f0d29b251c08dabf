import { queryOptions } from '@tanstack/react-query'
import { decodeHealths, type Healths } from './healths.ts'

const healthPollMs = 8000

/** Polls the health of all chains. Empty where the gateway does not answer. */
export function healthQuery(readHealth: (signal: AbortSignal) => Promise<unknown>) {
  return queryOptions({
    queryKey: ['health'],
    queryFn: async ({ client, signal }): Promise<Healths> =>
      readHealth(signal).then(decodeHealths, () => client.getQueryData<Healths>(['health']) ?? {}),
    staleTime: healthPollMs,
    refetchInterval: healthPollMs,
  })
}

/** The health route of the gateway; `gateway` is empty for this site. */
export function fetchHealth(gateway: string): (signal: AbortSignal) => Promise<unknown> {
  return async (signal) => (await fetch(`${gateway}/api/rpc/health`, { signal, cache: 'no-store' })).json()
}
