import type { Line, LogWriter } from './line.ts'

const kindsMax = 1000

/** Writes one line of each kind every `everyMs`, with the number of those that were suppressed before it. The number of kinds is bounded. */
export function createThrottledLog(
  log: Pick<LogWriter, 'write'>,
  { everyMs, now }: { readonly everyMs: number; readonly now: () => number },
): (kind: string, line: Line) => void {
  const kinds = new Map<string, { atMs: number; suppressed: number }>()
  return (kind, line) => {
    const known = kinds.get(kind)
    if (known !== undefined && now() - known.atMs < everyMs) {
      known.suppressed += 1
      return
    }
    if (known === undefined && kinds.size >= kindsMax) kinds.clear()
    kinds.set(kind, { atMs: now(), suppressed: 0 })
    const suppressed = known?.suppressed ?? 0
    log.write(suppressed === 0 ? line : { ...line, fields: { ...line.fields, suppressed } })
  }
}
