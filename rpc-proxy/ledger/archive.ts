import type { Evidence } from '../events.ts'

interface ArchiveOptions {
  readonly entriesMax: number
  /** Estimated memory of what is kept. */
  readonly bytesMax: number
  readonly ageMaxMs: number
}

/** Evidence by id, the newest first to be shown and the oldest first to go. */
export interface Archive {
  /** Keeps it, in the place of an older account of the same answer. */
  readonly keep: (evidence: Evidence, nowMs: number) => void
  readonly has: (id: string) => boolean
  readonly get: (id: string) => Evidence | null
  readonly newest: (most: number, nowMs: number) => readonly Evidence[]
  readonly bytes: () => number
}

/** Creates an empty archive, bounded by entries, bytes and age. What alone is over the bytes is kept until the next comes. */
export function createArchive({ entriesMax, bytesMax, ageMaxMs }: ArchiveOptions): Archive {
  // A Map gives its keys in the order of insertion, which is the order of age here.
  const kept = new Map<
    string,
    { readonly evidence: Evidence; readonly bytes: number; readonly atMs: number }
  >()
  let bytes = 0

  const drop = (id: string) => {
    bytes -= kept.get(id)?.bytes ?? 0
    kept.delete(id)
  }
  const dropOld = (nowMs: number) => {
    for (const [id, entry] of kept) {
      const roomy = kept.size <= entriesMax && (bytes <= bytesMax || kept.size === 1)
      if (roomy && nowMs - entry.atMs <= ageMaxMs) return
      drop(id)
    }
  }

  return {
    keep(evidence, nowMs) {
      drop(evidence.id)
      const size = bytesOf(evidence)
      kept.set(evidence.id, { evidence, bytes: size, atMs: nowMs })
      bytes += size
      dropOld(nowMs)
    },
    has: (id) => kept.has(id),
    get: (id) => kept.get(id)?.evidence ?? null,
    newest(most, nowMs) {
      dropOld(nowMs)
      const from = Math.max(0, kept.size - Math.max(0, Math.floor(most)))
      return [...kept.values()]
        .slice(from)
        .reverse()
        .map(({ evidence }) => evidence)
    },
    bytes: () => bytes,
  }
}

/** What an evidence weighs in memory, roughly: two bytes a character, and some hundred for each object. */
function bytesOf({ asks, camps, difference = [] }: Evidence): number {
  const chars =
    camps.reduce((sum, { said }) => sum + said.length, 0) +
    difference.reduce((sum, { path, values }) => sum + path.length + values.join().length, 0)
  return 500 + 200 * (asks.length + camps.length + difference.length) + 2 * chars
}
