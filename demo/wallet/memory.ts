/** What the wallet remembers between visits: whether the site may see the account, and the chain it is on. */
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
    // Forgotten on reload, then.
  }
}
