import pino, { type LoggerOptions } from 'pino'
import type { Log } from './line.ts'
import type { Redactor } from './redact.ts'

/** The Node host's log: pino to standard output. On a terminal it uses pino-pretty if installed. */
export async function createPinoLog(
  level: string,
  redactor: Redactor,
): Promise<Log & { readonly flush: () => void }> {
  const pretty = process.stdout.isTTY ? await import('pino-pretty').catch(() => null) : null
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    // Redacts the serialized line, so that no field is missed, however deeply nested.
    hooks: { streamWrite: (text) => redactor.text(text) },
  }
  const logger = pretty === null ? pino(options) : pino(options, pretty.default({ singleLine: true }))
  return {
    isOn: (wanted) => logger.isLevelEnabled(wanted),
    write: ({ level, event, message, fields }) => logger[level]({ event, ...fields }, message),
    flush: () => logger.flush(),
  }
}
