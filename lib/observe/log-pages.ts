import { env } from '../config/env.ts'
import type { Line } from './line.ts'
import { createPlainLog } from './log-plain.ts'

/** Logs for pages, which may run without a gateway in their process. The line must hold no secret: nothing is redacted here. */
export function writePageLine(line: Line): void {
  // biome-ignore lint/suspicious/noConsole: pages take their log from the console, as edge runtimes do.
  createPlainLog(env().LOG_LEVEL, { text: (text) => text }, (text) => console.log(text)).write(line)
}
