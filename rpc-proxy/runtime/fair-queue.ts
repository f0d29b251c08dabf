import { createDictionary } from './dictionary.ts'

export interface Queued {
  /** Whose turns it waits for; the queue's own, empty at first and after it has left. */
  callers: readonly string[]
}

/** Entries that wait, by caller: one of each caller in turn, each caller's own in order of arrival. */
export interface FairQueue<Entry extends Queued> {
  /** An entry may stand in the queues of several callers; it leaves all of them at once. */
  readonly add: (entry: Entry, caller: string) => void
  readonly delete: (entry: Entry) => void
  /** Takes out the entry whose turn it is; undefined where the queue is empty. */
  readonly next: () => Entry | undefined
  /**
   * The newest entry of the caller with most waiting that no other caller waits for; undefined where nobody has more waiting than
   * this caller.
   */
  readonly excess: (caller: string) => Entry | undefined
  readonly size: () => number
  /** Entries that wait for this caller. */
  readonly sizeOf: (caller: string) => number
}

interface Line<Entry> {
  readonly caller: string
  /** In order of arrival; those that have left are removed when they are most of them. */
  entries: Entry[]
  waiting: number
}

export function createFairQueue<Entry extends Queued>(): FairQueue<Entry> {
  const lines = createDictionary<Line<Entry>>()
  /** In the order of their turns: a caller that was served moves to the end. */
  const turns: Line<Entry>[] = []
  let size = 0

  function lineOf(caller: string): Line<Entry> {
    const known = lines[caller]
    if (known !== undefined) return known
    const line = { caller, entries: [], waiting: 0 }
    lines[caller] = line
    turns.push(line)
    return line
  }

  function remove(entry: Entry): void {
    if (entry.callers.length === 0) return
    const { callers } = entry
    entry.callers = []
    size--
    for (const caller of callers) {
      const line = lines[caller] as Line<Entry>
      line.waiting--
      if (line.waiting === 0) {
        delete lines[caller]
        turns.splice(turns.lastIndexOf(line), 1)
      } else if (line.entries.length > 32 + 2 * line.waiting) line.entries = line.entries.filter(isWaiting)
    }
  }

  return {
    add(entry, caller) {
      if (entry.callers.includes(caller)) return
      if (entry.callers.length === 0) size++
      // A copy: a list that grows makes room for 17, and under load thousands of entries wait.
      entry.callers = entry.callers.concat(caller)
      const line = lineOf(caller)
      line.entries.push(entry)
      line.waiting++
    },
    delete: remove,
    next() {
      const line = turns.shift()
      if (line === undefined) return undefined
      turns.push(line)
      while (!isWaiting(line.entries[0] as Entry)) line.entries.shift()
      const entry = line.entries.shift() as Entry
      remove(entry)
      return entry
    },
    excess(caller) {
      const longest = turns.reduce<Line<Entry> | undefined>(
        (best, line) => (best === undefined || line.waiting > best.waiting ? line : best),
        undefined,
      )
      if (longest === undefined || longest.waiting <= (lines[caller]?.waiting ?? 0) + 1) return undefined
      return longest.entries.findLast(({ callers }) => callers.length === 1)
    },
    size: () => size,
    sizeOf: (caller) => lines[caller]?.waiting ?? 0,
  }
}

function isWaiting({ callers }: Queued): boolean {
  return callers.length > 0
}
