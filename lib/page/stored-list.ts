import { createStore, type Store } from './value-store.ts'

export type ItemStorage = Pick<Storage, 'getItem' | 'setItem'>

/** A list in memory, and under one key of this browser's storage, which other tabs may change. */
export interface StoredList<Entry> extends Store<readonly Entry[]> {
  /** What the storage has now. */
  readonly load: () => readonly Entry[]
  /** Applies the change to the stored list, then saves and publishes the result. */
  readonly save: (change: (entries: readonly Entry[]) => readonly Entry[]) => void
  /** False if the storage is full, forbidden or absent. The list then lasts until the page is left. */
  readonly isStored: () => boolean
}

/** `isEntry`: what stands in the storage may be of another version, or of a stranger. */
export function createStoredList<Entry>(
  storage: ItemStorage | null,
  key: string,
  isEntry: (value: unknown) => value is Entry,
): StoredList<Entry> {
  const load = () => {
    try {
      const value: unknown = JSON.parse(storage?.getItem(key) ?? '[]')
      return Array.isArray(value) ? value.filter(isEntry) : []
    } catch {
      return []
    }
  }
  const list = createStore<readonly Entry[]>(load())
  // If the last save failed, the stored list is older than ours.
  let isStored = storage !== null
  return {
    ...list,
    load,
    save(change) {
      const entries = change(isStored ? load() : list.get())
      isStored = store(storage, key, entries)
      list.set(entries)
    },
    isStored: () => isStored,
  }
}

function store(storage: ItemStorage | null, key: string, entries: readonly unknown[]): boolean {
  try {
    storage?.setItem(key, JSON.stringify(entries))
    return storage !== null
  } catch {
    return false
  }
}

/** Of this browser, or of this tab alone. Null on the server, and in some browsers, where reading the property throws. */
export function ownStorage(kind: 'localStorage' | 'sessionStorage' = 'localStorage'): Storage | null {
  try {
    return typeof window === 'object' ? globalThis[kind] : null
  } catch {
    return null
  }
}
