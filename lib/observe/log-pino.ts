import pino, { type LoggerOptions } from 'pino'
import type { HostCounts } from './host-counts.ts'
import type { LogWriter } from './line.ts'
import { openLogSink } from './log-sink.ts'
import type { Redactor } from './redact.ts'

export interface PinoLog extends LogWriter {
  /** Waits for what is still to be written, a second at most. False when the system holds a write and would hold the exit. */
  readonly flush: () => Promise<boolean>
}

const flushMsMax = 1000

export interface PinoLogOptions {
  readonly level: string
  readonly replica: string | null
  readonly counts: Pick<HostCounts, 'counter' | 'gauge'>
}

/** The Node host's log: pino to standard output. On a terminal it uses pino-pretty if installed. */
export async function createPinoLog(
  { level, replica, counts }: PinoLogOptions,
  redactor: Redactor,
): Promise<PinoLog> {
  watchPrinted(counts)
  const pretty = process.stdout.isTTY ? await import('pino-pretty').catch(() => null) : null
  const format = pretty?.prettyFactory({ colorize: true, singleLine: true }) ?? ((text: string) => text)
  const options: LoggerOptions = {
    level,
    base: replica === null ? null : { replica },
    timestamp: pino.stdTimeFunctions.isoTime,
    // Redacts the serialized line, so that no field is missed, however deeply nested.
    hooks: { streamWrite: (text) => redactor.text(text) },
  }
  const sink = openLogSink(1, {
    onResume: (lines, code) => logger.error({ event: 'log-lost', lines, code }, 'lines of the log were lost'),
  })
  counts.gauge('log_lines_lost_total', sink.lost, { by: 'log' })
  counts.gauge('log_failing', () => (sink.isFailing() ? 1 : 0))
  const logger = pino(options, { write: (text) => sink.write(format(text)) })
  return {
    isOn: (wanted) => logger.isLevelEnabled(wanted),
    write: ({ level, event, message, fields }) => logger[level]({ event, ...fields }, message),
    flush: () => sink.flush(flushMsMax),
  }
}

/** Counts what `console` (Next's messages, warnings of Node) could not print. Without a listener each failure ends the process. */
function watchPrinted(counts: Pick<HostCounts, 'counter'>): void {
  const lose = counts.counter('log_lines_lost_total', 'by', ['stdout', 'stderr'])
  for (const name of ['stdout', 'stderr'] as const) process[name].on('error', () => lose(name))
  // A file at its limit of size (`ulimit -f`) is an error of the write, EFBIG, instead of the end of the process.
  process.on('SIGXFSZ', () => {})
}
