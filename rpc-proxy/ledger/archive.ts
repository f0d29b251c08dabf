import type { Evidence, ProofRecord } from '../events/evidence-types.ts'
import { bytesOf } from '../evidence/stored-evidence.ts'
import { createDictionary } from '../runtime/dictionary.ts'

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
  const byId = createDictionary<Entry>()
  /** The oldest first. */
  const entries: Entry[] = []
  let bytes = 0

  function forget({ evidence, bytes: own }: Entry): void {
    delete byId[evidence.id]
    bytes -= own
  }

  function dropOld(nowMs: number): void {
    for (let [oldest] = entries; oldest !== undefined; [oldest] = entries) {
      const isRoomy = entries.length <= entriesMax && (bytes <= bytesMax || entries.length === 1)
      if (isRoomy && nowMs - oldest.atMs <= ageMaxMs) return
      entries.shift()
      forget(oldest)
    }
  }

  return {
    keep(evidence, nowMs) {
      const known = byId[evidence.id]
      if (known !== undefined) {
        entries.splice(entries.indexOf(known), 1)
        forget(known)
      }
      const entry = { evidence, bytes: bytesOfAll(evidence), atMs: nowMs }
      byId[evidence.id] = entry
      entries.push(entry)
      bytes += entry.bytes
      dropOld(nowMs)
    },
    has: (id) => byId[id] !== undefined,
    get: (id) => byId[id]?.evidence ?? null,
    newest(most, nowMs) {
      dropOld(nowMs)
      const from = Math.max(0, entries.length - Math.max(0, Math.floor(most)))
      return entries
        .slice(from)
        .reverse()
        .map(({ evidence }) => evidence)
    },
    bytes: () => bytes,
  }
}

interface Entry {
  readonly evidence: Evidence
  readonly bytes: number
  readonly atMs: number
}

/** What an evidence weighs in memory, roughly, and the texts that it holds. */
function bytesOfAll(evidence: Evidence): number {
  const { proof } = evidence
  return 500 + bytesOf(evidence, '') + (typeof proof === 'object' ? 2 * charsOf(proof) : 0)
}

/** Of the nodes and the code in a proof, which are nearly all of it. */
function charsOf({ header, nodes, slots, code }: ProofRecord): number {
  const texts = [...header, ...nodes, ...slots.flatMap((slot) => slot.nodes), code ?? '']
  return texts.reduce((sum, { length }) => sum + length, 0)
}
