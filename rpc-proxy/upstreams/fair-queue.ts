/** Entries that wait, by caller: one of each caller in turn, each caller's own in order of arrival. */
export interface FairQueue<Entry> {
  /** An entry may stand in the queues of several callers; it leaves all of them at once. */
  readonly add: (entry: Entry, caller: string) => void
  readonly delete: (entry: Entry) => void
  /** Takes out the entry whose turn it is; undefined where nobody waits. */
  readonly next: () => Entry | undefined
  /**
   * The newest entry of the caller with most waiting that no other caller waits for; undefined where nobody has more waiting than
   * this caller.
   */
  readonly excess: (caller: string) => Entry | undefined
  readonly size: () => number
}

export function createFairQueue<Entry>(): FairQueue<Entry> {
  // In the order of their turns: a caller that was served moves to the end.
  const queues = new Map<string, Set<Entry>>()
  const callersOf = new Map<Entry, Set<string>>()

  function remove(entry: Entry): void {
    for (const caller of callersOf.get(entry) ?? []) {
      const queue = queues.get(caller)
      queue?.delete(entry)
      if (queue?.size === 0) queues.delete(caller)
    }
    callersOf.delete(entry)
  }

  function longest(): Set<Entry> {
    let found: Set<Entry> = new Set()
    for (const queue of queues.values()) if (queue.size > found.size) found = queue
    return found
  }

  return {
    add(entry, caller) {
      const queue = queues.get(caller)
      if (queue === undefined) queues.set(caller, new Set([entry]))
      else queue.add(entry)
      const callers = callersOf.get(entry)
      if (callers === undefined) callersOf.set(entry, new Set([caller]))
      else callers.add(caller)
    },
    delete: remove,
    next() {
      const [turn] = queues
      if (turn === undefined) return undefined
      const [caller, queue] = turn
      const [entry] = queue
      queues.delete(caller)
      queues.set(caller, queue)
      if (entry !== undefined) remove(entry)
      return entry
    },
    excess(caller) {
      const queue = longest()
      if (queue.size <= (queues.get(caller)?.size ?? 0) + 1) return undefined
      return [...queue].findLast((entry) => callersOf.get(entry)?.size === 1)
    },
    size: () => callersOf.size,
  }
}
