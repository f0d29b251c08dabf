/**
 * Lends the page a storage that lasts until it is left where the browser gives none, or a full one. RainbowKit and the
 * wallets' own code use `localStorage` without asking, and a window of theirs that throws would take the page with it.
 */
export function lendStorage(): void {
  if (isOfUse()) return
  const lent = new Map<string, string>()
  const storage: Storage = {
    get length() {
      return lent.size
    },
    key: (place) => [...lent.keys()][place] ?? null,
    getItem: (key) => lent.get(key) ?? null,
    setItem: (key, value) => void lent.set(key, String(value)),
    removeItem: (key) => void lent.delete(key),
    clear: () => lent.clear(),
  }
  Object.defineProperty(window, 'localStorage', { configurable: true, value: storage })
}

function isOfUse(): boolean {
  const probe = 'quorate.probe'
  try {
    localStorage.setItem(probe, probe)
    localStorage.removeItem(probe)
    return true
  } catch {
    return false
  }
}
