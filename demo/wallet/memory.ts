import { site } from '#site'

/** State of the wallet between visits: the permission of the site, the current chain and the calls that it sent as one. */
export interface Memory {
  readonly allowed: boolean
  readonly chainId: number
  readonly batches: Readonly<Record<string, { readonly hash: `0x${string}`; readonly chainId: number }>>
}

const fresh: Memory = { allowed: false, chainId: site.initialChainId, batches: {} }

export function recall(key: string): Memory {
  try {
    return { ...fresh, ...JSON.parse(localStorage.getItem(key) ?? '{}') }
  } catch {
    return fresh
  }
}

export function remember(key: string, memory: Memory): void {
  try {
    localStorage.setItem(key, JSON.stringify(memory))
  } catch {
    // The state is lost on reload.
  }
}
