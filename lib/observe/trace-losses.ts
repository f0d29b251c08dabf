import { Counter } from './counter.ts'
import type { LogWriter } from './line.ts'
import type { TraceLoss } from './otlp.ts'
import { createThrottle } from './throttle.ts'

const sentences = {
  status: 'the collector of traces refuses them',
  timeout: 'the collector of traces does not reply in time',
  unreachable: 'the collector of traces cannot be reached',
  partial: 'the collector of traces takes a part of them only',
} satisfies Record<TraceLoss, string>

/** Counts exports of which spans were lost, and says so once a minute. */
export function createTraceLosses(log: LogWriter) {
  const counter = new Counter<TraceLoss>(
    'trace_losses_total',
    'reason',
    Object.keys(sentences) as TraceLoss[],
  )
  const throttle = createThrottle(60_000)
  return {
    add(reason: TraceLoss): void {
      counter.add(reason)
      const suppressed = throttle.pass(reason, Date.now())
      if (suppressed === null) return
      log.write({
        level: 'warn',
        event: 'traces',
        message: sentences[reason],
        fields: { reason, suppressed },
      })
    },
    series: () => counter.series(),
  }
}
