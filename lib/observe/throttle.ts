import type { Line, LogWriter } from './line.ts'

const kindsMax = 1000

/** Passes one event per kind every `everyMs` and counts those held back. The number of kinds is bounded. */
export function createThrottle(everyMs: number) {
  const kinds = new Map<string, { atMs: number; suppressed: number }>()
  return {
    /** Null: hold it back. Otherwise the number held back since the last one that passed. */
    pass(kind: string, nowMs: number): number | null {
      const known = kinds.get(kind)
      if (known !== undefined && nowMs - known.atMs < everyMs) {
        known.suppressed += 1
        return null
      }
      if (known === undefined && kinds.size >= kindsMax) kinds.clear()
      kinds.set(kind, { atMs: nowMs, suppressed: 0 })
      return known?.suppressed ?? 0
    },
  }
}

/** Writes one line of each kind every `everyMs`, with the number of those that were suppressed before it. */
export function createThrottledLog(
  log: Pick<LogWriter, 'write'>,
  { everyMs, now }: { readonly everyMs: number; readonly now: () => number },
): (kind: string, line: Line) => void {
  const throttle = createThrottle(everyMs)
  return (kind, line) => {
    const suppressed = throttle.pass(kind, now())
    if (suppressed === null) return
    log.write(suppressed === 0 ? line : { ...line, fields: { ...line.fields, suppressed } })
  }
}
