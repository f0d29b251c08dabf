import type { TransactionRecord } from './transactions.ts'

const rainbowKey = 'rk-transactions'
const completedMax = 10

/**
 * Shows a settled transaction in RainbowKit's account window too. Only settled ones: RainbowKit watches pending ones by
 * itself and calls every error a failure.
 */
export function mirror(record: TransactionRecord): void {
  const { from, chainId, description, status, confirmations } = record
  const hash = record.sentAs ?? record.hash
  try {
    const kept = JSON.parse(localStorage.getItem(rainbowKey) ?? '{}') ?? {}
    const others = (kept[from]?.[chainId] ?? []).filter((other: { hash?: unknown }) => other.hash !== hash)
    const list = [{ hash, description, status, confirmations }, ...others].slice(0, completedMax)
    localStorage.setItem(rainbowKey, JSON.stringify({ ...kept, [from]: { ...kept[from], [chainId]: list } }))
  } catch {
    // Without storage RainbowKit shows none.
  }
}

/** Takes an account's transactions on all chains out of RainbowKit's account window. */
export function unmirror(address: string): void {
  try {
    const { [address]: _, ...others } = JSON.parse(localStorage.getItem(rainbowKey) ?? '{}') ?? {}
    localStorage.setItem(rainbowKey, JSON.stringify(others))
  } catch {
    // Without storage there are none.
  }
}
