import { queryOptions } from '@tanstack/react-query'

/** A chain's health, as the gateway reports it. */
export type ChainHealth = 'ok' | 'degraded' | 'down' | 'unknown'
export type Healths = Readonly<Record<number, ChainHealth>>

/** Decodes the health route's answer; unexpected values become `unknown`. */
export function decodeHealths(value: unknown): Healths {
  const chains = (value as { chains?: unknown } | null)?.chains
  if (!Array.isArray(chains)) return {}
  return Object.fromEntries(
    chains.map((chain: { chainId?: unknown; status?: unknown }) => [chain?.chainId, toHealth(chain?.status)]),
  )
}

function toHealth(status: unknown): ChainHealth {
  return status === 'ok' || status === 'degraded' || status === 'down' ? status : 'unknown'
}

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
