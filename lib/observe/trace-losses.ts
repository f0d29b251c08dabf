import type { HostCounts } from './host-counts.ts'
import type { LogWriter } from './line.ts'
import type { TraceLoss } from './otlp.ts'
import { createThrottledLog } from './throttle.ts'

const sentences = {
  status: 'the collector of traces refuses them',
  timeout: 'the collector of traces does not reply in time',
  unreachable: 'the collector of traces cannot be reached',
  partial: 'the collector of traces takes a part of them only',
} satisfies Record<TraceLoss, string>

/** Counts exports of which spans were lost, and says so once a minute. */
export function createTraceLosses(
  log: LogWriter,
  counts: Pick<HostCounts, 'counter'>,
): (reason: TraceLoss) => void {
  const reasons = Object.keys(sentences) as TraceLoss[]
  const count = counts.counter('trace_losses_total', 'reason', reasons)
  const write = createThrottledLog(log, { everyMs: 60_000, now: Date.now })
  return (reason) => {
    count(reason)
    write(reason, { level: 'warn', event: 'traces', message: sentences[reason], fields: { reason } })
  }
}
