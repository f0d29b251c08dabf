export type Level = 'debug' | 'info' | 'warn' | 'error'

/** A log line. Flat, and without params, URLs or callers' addresses. */
export interface Line {
  readonly level: Level
  readonly event: string
  readonly message: string
  readonly fields: Readonly<Record<string, string | number | boolean | null>>
}

/** `isOn` avoids building lines below the level. */
export interface LogWriter {
  readonly isOn: (level: Level) => boolean
  readonly write: (line: Line) => void
}
