import type { Evidence } from '../events/evidence-types.ts'
import { bytesOf } from '../evidence/build.ts'

/** An agreed result, the operators behind it, and when it expires. */
export interface CacheEntry {
  readonly raw: string
  /** The operators behind it, as a set. */
  readonly operators: number
  /** Those of them each of whom it needs. */
  readonly indispensable: number
  /** It is cached for longer because more than half of all weight agreed on it. */
  readonly isOfMajority: boolean
  /** The epoch of chain/suspects.ts in which they voted. */
  readonly epoch: number
  /** Hash of the head with which it expires; null where it outlives heads. */
  readonly head: string | null
  /** When it expires, epoch milliseconds; null where no time ends it. */
  readonly untilMs: number | null
  readonly evidence: Evidence
}

/** Which chain's entries are read or written, and when. */
export interface CacheScope {
  /** The chain's key: entries of one chain are served for no other. */
  readonly chain: string
  /** The chain's head now; entries of an earlier one are dropped. Null before the first. */
  readonly head: string | null
  readonly nowMs: number
}

/** Objects, Map slot and head of the strings of one entry, bytes, as measured. */
const entryBytes = 400

/** Entries that are dropped together. */
interface EntryMap {
  readonly entries: Map<string, CacheEntry>
  bytes: number
}

/** The entries of one chain: those that outlive a head, and those that do not. */
interface ChainEntries {
  readonly lasting: EntryMap
  ofHead: EntryMap
  head: string | null
}

/** Entries of one age, by chain. */
interface Generation {
  readonly byChain: Map<string, ChainEntries>
  bytes: number
}

/** Agreed answers by chain and key, least recently used out first, bounded by bytes. */
export type Cache = ReturnType<typeof createCache>

type Judge = (entry: CacheEntry) => boolean

/**
 * Two generations of half the bytes each: an entry that is used moves to the young one, and when that is full the old one
 * is dropped. Moving every hit to the end of one Map, the usual way, made a hit cost more than the rest of a cached call.
 * Entries of a head stand in a Map of their own, which is dropped whole with the head.
 */
export function createCache({ bytesMax = 64 * 1024 * 1024 } = {}) {
  let young = createGeneration()
  let old = createGeneration()

  function put(key: string, chain: string, entry: CacheEntry): void {
    const size = sizeOf(key, entry)
    if (young.bytes + size > bytesMax / 2) {
      old = young
      young = createGeneration()
    }
    const own = entriesOf(young, chain)
    if (entry.head !== null) changeHead(young, own, entry.head)
    const map = entry.head === null ? own.lasting : own.ofHead
    map.entries.set(key, entry)
    map.bytes += size
    young.bytes += size
  }

  return {
    /** The entry, if it still serves and is strong enough for the caller. */
    get(key: string, scope: CacheScope, isEnough: Judge): CacheEntry | null {
      const fresh = find(young, key, scope, isEnough)
      if (fresh !== null) return fresh
      const entry = find(old, key, scope, isEnough)
      if (entry === null) return null
      remove(old, key, scope, nobody)
      put(key, scope.chain, entry)
      return entry
    },
    /** Keeps an entry, unless there is one that is stronger. */
    set(key: string, scope: CacheScope, entry: CacheEntry, isStronger: Judge): void {
      if (sizeOf(key, entry) > bytesMax / 8) return
      if (remove(young, key, scope, isStronger) && remove(old, key, scope, isStronger))
        put(key, scope.chain, entry)
    },
    /** Lets all entries of a chain go. */
    forget(chain: string): void {
      for (const generation of [young, old]) {
        const own = generation.byChain.get(chain)
        if (own === undefined) continue
        generation.byChain.delete(chain)
        generation.bytes -= own.lasting.bytes + own.ofHead.bytes
      }
    },
    /** `bytes` is an estimate of all that is held: keys, answers and their proofs. */
    size: () => ({
      entries: countOf(young) + countOf(old),
      bytes: young.bytes + old.bytes,
      bytesMax,
    }),
  }
}

function find(
  generation: Generation,
  key: string,
  { chain, head, nowMs }: CacheScope,
  isEnough: Judge,
): CacheEntry | null {
  const own = generation.byChain.get(chain)
  if (own === undefined) return null
  changeHead(generation, own, head)
  return serving(own.lasting, key, nowMs, isEnough) ?? serving(own.ofHead, key, nowMs, isEnough)
}

function serving({ entries }: EntryMap, key: string, nowMs: number, isEnough: Judge): CacheEntry | null {
  // A look-up in a large table is expensive, and one of the two is often empty.
  const entry = entries.size === 0 ? undefined : entries.get(key)
  return entry !== undefined && isServing(entry, nowMs) && isEnough(entry) ? entry : null
}

function isServing({ untilMs }: CacheEntry, nowMs: number): boolean {
  return untilMs === null || nowMs < untilMs
}

/** At another head, drops the entries of the one before. */
function changeHead(generation: Generation, own: ChainEntries, head: string | null): void {
  if (own.head === head) return
  generation.bytes -= own.ofHead.bytes
  own.ofHead = createEntryMap()
  own.head = head
}

const nobody = () => false

/** Removes the entry of the key. False where that is still valid and stronger, and stays. */
function remove(
  generation: Generation,
  key: string,
  { chain, head, nowMs }: CacheScope,
  isStronger: Judge,
): boolean {
  const own = generation.byChain.get(chain)
  if (own === undefined) return true
  changeHead(generation, own, head)
  for (const map of [own.lasting, own.ofHead]) {
    const entry = map.entries.size === 0 ? undefined : map.entries.get(key)
    if (entry === undefined) continue
    if (isServing(entry, nowMs) && isStronger(entry)) return false
    map.entries.delete(key)
    const size = sizeOf(key, entry)
    map.bytes -= size
    generation.bytes -= size
  }
  return true
}

function entriesOf({ byChain }: Generation, chain: string): ChainEntries {
  const known = byChain.get(chain)
  if (known !== undefined) return known
  const made: ChainEntries = { lasting: createEntryMap(), ofHead: createEntryMap(), head: null }
  byChain.set(chain, made)
  return made
}

function createGeneration(): Generation {
  return { byChain: new Map(), bytes: 0 }
}

function createEntryMap(): EntryMap {
  return { entries: new Map(), bytes: 0 }
}

function countOf({ byChain }: Generation): number {
  let count = 0
  for (const { lasting, ofHead } of byChain.values()) count += lasting.entries.size + ofHead.entries.size
  return count
}

/** A string takes two bytes a character at most. */
function sizeOf(key: string, { raw, evidence }: CacheEntry): number {
  return (key.length + raw.length) * 2 + bytesOf(evidence, raw) + entryBytes
}
