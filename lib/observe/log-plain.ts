import type { Line, Log } from './line.ts'
import type { Redactor } from './redact.ts'

/** pino's numbers, so that both hosts' lines can be read by one tool. */
const numbers = { debug: 20, info: 30, warn: 40, error: 50 }
const named: Readonly<Record<string, number>> = {
  trace: 10,
  ...numbers,
  fatal: 60,
  silent: Number.POSITIVE_INFINITY,
}

/** Lines for the edge, where pino's browser build would print secrets that its Node build takes out. Same fields. */
export function createPlainLog(level: string, redactor: Redactor, print: (text: string) => void): Log {
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
