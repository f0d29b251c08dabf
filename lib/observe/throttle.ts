/** Lets one of a kind through each `everyMs` and tells how many were held back since; bounded in kinds. */
export function createThrottle(everyMs: number, kindsMax = 1000) {
  const kinds = new Map<string, { atMs: number; held: number }>()
  return {
    /** Null: hold it back. Else the number of those held back before it. */
    pass(kind: string, nowMs: number): number | null {
      const known = kinds.get(kind)
      if (known !== undefined && nowMs - known.atMs < everyMs) {
        known.held += 1
        return null
      }
      if (known === undefined && kinds.size >= kindsMax) kinds.clear()
      kinds.set(kind, { atMs: nowMs, held: 0 })
      return known?.held ?? 0
    },
  }
}
