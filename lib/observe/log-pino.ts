import pino, { type LoggerOptions } from 'pino'
import type { Log } from './line.ts'
import type { Redactor } from './redact.ts'

/** Lines for the Node host, through pino to standard output; on a terminal they are made readable where pino-pretty is. */
export async function createPinoLog(
  level: string,
  redactor: Redactor,
): Promise<Log & { readonly flush: () => void }> {
  const pretty = process.stdout.isTTY ? await import('pino-pretty').catch(() => null) : null
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    // The whole line is looked at once it is text: whatever a field holds, and however deep, nothing slips by.
    hooks: { streamWrite: (text) => redactor.text(text) },
  }
  const logger = pretty === null ? pino(options) : pino(options, pretty.default({ singleLine: true }))
  return {
    isOn: (wanted) => logger.isLevelEnabled(wanted),
    write: ({ level, event, message, fields }) => logger[level]({ event, ...fields }, message),
    flush: () => logger.flush(),
  }
}
