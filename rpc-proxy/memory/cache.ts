/** An agreed answer, and how strong the agreement was. */
export interface Entry<Proof> {
  readonly raw: string
  readonly agreed: number
  readonly operators: number
  /** Hash of the head with which it goes; null for what stays. */
  readonly head: string | null
  readonly proof: Proof
}

/** Agreed answers by key, those not used for longest out first, bounded by bytes. */
export interface Cache<Proof> {
  /** The entry, if it is strong enough for who asks. */
  readonly get: (key: string, isEnough: (entry: Entry<Proof>) => boolean) => Entry<Proof> | null
  readonly set: (key: string, entry: Entry<Proof>) => void
  /** Drops every entry whose key begins so. */
  readonly forget: (prefix: string) => void
  readonly size: () => { readonly entries: number; readonly bytes: number; readonly bytesMax: number }
}

export interface CacheOptions {
  readonly bytesMax?: number
}

// A string takes two bytes a character at most; the rest of an entry is about this much.
const entryBytes = 400

/** Entries of one age. */
interface Generation<Proof> {
  readonly entries: Map<string, Entry<Proof>>
  bytes: number
}

/**
 * Two generations of half the bytes each: what is used moves to the young one, and when that is full the old one goes.
 * Moving every hit to the end of one Map, the usual way, made a hit cost more than the whole rest of a cached call.
 */
export function createCache<Proof>({ bytesMax = 64 * 1024 * 1024 }: CacheOptions = {}): Cache<Proof> {
  let young: Generation<Proof> = { entries: new Map(), bytes: 0 }
  let old: Generation<Proof> = { entries: new Map(), bytes: 0 }

  function put(key: string, entry: Entry<Proof>): void {
    const size = sizeOf(key, entry.raw)
    if (young.bytes + size > bytesMax / 2) {
      old = young
      young = { entries: new Map(), bytes: 0 }
    }
    young.entries.set(key, entry)
    young.bytes += size
  }

  function remove(generation: Generation<Proof>, key: string): void {
    const entry = generation.entries.get(key)
    if (entry === undefined) return
    generation.entries.delete(key)
    generation.bytes -= sizeOf(key, entry.raw)
  }

  return {
    get(key, isEnough) {
      const fresh = young.entries.get(key)
      const entry = fresh ?? old.entries.get(key)
      if (entry === undefined || !isEnough(entry)) return null
      if (fresh === undefined) {
        remove(old, key)
        put(key, entry)
      }
      return entry
    },
    set(key, entry) {
      if (sizeOf(key, entry.raw) > bytesMax / 8) return
      const known = young.entries.get(key) ?? old.entries.get(key)
      const isOfNow = known?.head === null || known?.head === entry.head
      if (known !== undefined && isOfNow && known.agreed > entry.agreed) return
      remove(young, key)
      remove(old, key)
      put(key, entry)
    },
    forget(prefix) {
      for (const generation of [young, old])
        for (const key of generation.entries.keys()) if (key.startsWith(prefix)) remove(generation, key)
    },
    size: () => ({
      entries: young.entries.size + old.entries.size,
      bytes: young.bytes + old.bytes,
      bytesMax,
    }),
  }
}

function sizeOf(key: string, raw: string): number {
  return (key.length + raw.length) * 2 + entryBytes
}
