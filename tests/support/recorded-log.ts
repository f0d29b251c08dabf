import type { Line } from '#lib/observe/line.ts'

/** A log at every level, and its lines. */
export function recordedLog() {
  const lines: Line[] = []
  return { lines, log: { isOn: () => true, write: (line: Line) => void lines.push(line) } }
}
