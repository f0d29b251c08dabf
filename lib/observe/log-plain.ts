import { env } from '../config/env.ts'
import { processWide } from '../process-wide.ts'
import type { Line, LogWriter } from './line.ts'
import type { Redactor } from './redact.ts'

/** pino's level numbers, so that one tool can read both hosts' lines. */
const numbers = { debug: 20, info: 30, warn: 40, error: 50 }
const named: Readonly<Record<string, number>> = {
  trace: 10,
  ...numbers,
  fatal: 60,
  silent: Number.POSITIVE_INFINITY,
}

/** The edge host's log, with the same fields. pino's browser build lacks the hook that redacts secrets. */
export function createPlainLog(
  level: string,
  redactor: Pick<Redactor, 'text'>,
  // biome-ignore lint/suspicious/noConsole: an edge runtime has no other log.
  print = (text: string): void => console.log(text),
): LogWriter {
  const least = named[level] ?? numbers.info
  const isOn = (wanted: keyof typeof numbers) => numbers[wanted] >= least
  return {
    isOn,
    write({ level, event, message, fields }: Line) {
      if (!isOn(level)) return
      const line = { level: numbers[level], time: new Date().toISOString(), event, ...fields, msg: message }
      print(redactor.text(JSON.stringify(line)))
    },
  }
}

/** The log of this process, for the copies of this module that Next makes. */
const shared = processWide<LogWriter | null>('page-log', null)

export function logPagesTo(log: LogWriter): void {
  shared.value = log
}

/** Logs for pages: to the log of this process, or without one to the console, where nothing is redacted. */
export function writePageLine(line: Line): void {
  shared.value ??= createPlainLog(env().LOG_LEVEL, { text: (text) => text })
  shared.value.write(line)
}
