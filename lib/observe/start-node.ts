import pino, { type LoggerOptions } from 'pino'
import type { Config } from '#rpc-proxy'
import type { Env } from '../config/env.ts'
import { collectorAgent } from '../transport/collector-agent.ts'
import type { HostCounts } from './host-counts.ts'
import { createHostObserver } from './host-observer.ts'
import type { Level, Line } from './line.ts'
import { openLogSink } from './log-sink.ts'
import { createRedactor } from './redact.ts'
import { createTraceLosses } from './trace-losses.ts'

const flushMsMax = 1000

interface NodeFacts {
  /** The name of this process, where there is more than one. */
  readonly replica: string | null
  readonly counts: HostCounts
}

/** The Node host's log, pino to standard output, and tracing. On a terminal the log uses pino-pretty if installed. */
export async function startNodeObserver(env: Env, config: Config, { replica, counts }: NodeFacts) {
  watchPrinted(counts)
  const redactor = createRedactor(env, config)
  const pretty = process.stdout.isTTY ? await import('pino-pretty').catch(() => null) : null
  const format = pretty?.prettyFactory({ colorize: true, singleLine: true }) ?? ((text: string) => text)
  const options: LoggerOptions = {
    level: env.LOG_LEVEL,
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
  const log = {
    isOn: (wanted: Level) => logger.isLevelEnabled(wanted),
    write: ({ level, event, message, fields }: Line) => logger[level]({ event, ...fields }, message),
  }
  const observer = await createHostObserver(env, config, {
    log,
    redactor,
    connect: () => ({ httpAgentOptions: collectorAgent(env), onLoss: createTraceLosses(log, counts) }),
  })
  /** Writes what is buffered, for a second at most. False when the system holds a write of the log and would hold the exit. */
  const flush = () => observer.flush().then(() => sink.flush(flushMsMax))
  return { ...observer, flush }
}

/** Counts what `console` (Next's messages, warnings of Node) could not print. Without a listener each failure ends the process. */
function watchPrinted(counts: Pick<HostCounts, 'counter'>): void {
  const lose = counts.counter('log_lines_lost_total', 'by', ['stdout', 'stderr'])
  for (const name of ['stdout', 'stderr'] as const) process[name].on('error', () => lose(name))
  // A file at its limit of size (`ulimit -f`) is an error of the write, EFBIG, instead of the end of the process.
  process.on('SIGXFSZ', () => {})
}
