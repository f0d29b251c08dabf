/** State of the wallet between visits: the permission of the site and the current chain. */
export interface Memory {
  readonly allowed: boolean
  readonly chainId: number
}

const key = 'demo-wallet'
const fresh: Memory = { allowed: false, chainId: 137 }

export function recall(): Memory {
  try {
    return { ...fresh, ...JSON.parse(localStorage.getItem(key) ?? '{}') }
  } catch {
    return fresh
  }
}

export function remember(memory: Memory): void {
  try {
    localStorage.setItem(key, JSON.stringify(memory))
  } catch {
    // The state is lost on reload.
  }
}
