/**
 * Replaces `localStorage` with one in memory when the browser provides none or it is full. RainbowKit and wallet SDKs use it
 * without a check, and an exception in their dialogs would crash the page.
 */
export function provideStorage(): void {
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
