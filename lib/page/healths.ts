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
