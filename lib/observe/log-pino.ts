import pino, { type LoggerOptions } from 'pino'
import type { Series } from '#rpc-proxy'
import { prefix } from '../public-names.ts'
import { Counter } from './counter.ts'
import type { LogWriter } from './line.ts'
import { openLogSink } from './log-sink.ts'
import type { Redactor } from './redact.ts'

export interface PinoLog extends LogWriter {
  /** Waits for what is still to be written, a second at most. False when the system holds a write and would hold the exit. */
  readonly flush: () => Promise<boolean>
  readonly series: () => readonly Series<number>[]
}

const flushMsMax = 1000

/** The Node host's log: pino to standard output. On a terminal it uses pino-pretty if installed. */
export async function createPinoLog(
  { level, replica }: { readonly level: string; readonly replica: string | null },
  redactor: Redactor,
): Promise<PinoLog> {
  const printed = watchPrinted()
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
  const logger = pino(options, { write: (text) => sink.write(format(text)) })
  return {
    isOn: (wanted) => logger.isLevelEnabled(wanted),
    write: ({ level, event, message, fields }) => logger[level]({ event, ...fields }, message),
    flush: () => sink.flush(flushMsMax),
    series: () => [
      { name: `${prefix}_log_lines_lost_total`, labels: { by: 'log' }, value: sink.lost() },
      ...printed.series(),
      { name: `${prefix}_log_failing`, labels: {}, value: sink.isFailing() ? 1 : 0 },
    ],
  }
}

/** Counts what `console` (Next's messages, warnings of Node) could not print. Without a listener each failure ends the process. */
function watchPrinted(): Counter<'stdout' | 'stderr'> {
  const lost = new Counter('log_lines_lost_total', 'by', ['stdout', 'stderr'])
  for (const name of ['stdout', 'stderr'] as const) process[name].on('error', () => lost.add(name))
  // A file at its limit of size (`ulimit -f`) is an error of the write, EFBIG, instead of the end of the process.
  process.on('SIGXFSZ', () => {})
  return lost
}
