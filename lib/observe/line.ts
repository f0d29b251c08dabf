export type Level = 'debug' | 'info' | 'warn' | 'error'

/** One line of the log, before it is written: flat, and never a param, a URL or a caller's address. */
export interface Line {
  readonly level: Level
  readonly event: string
  readonly message: string
  readonly fields: Readonly<Record<string, string | number | boolean | null>>
}

/** Where log lines go. `isOn` avoids building lines below the level. */
export interface Log {
  readonly isOn: (level: Level) => boolean
  readonly write: (line: Line) => void
}
