import { historyTexts } from '#lib/page/texts/history.ts'
import { latencyBoundsMs } from '#lib/status/history-figures.ts'
import parts from './chart-parts.module.css'
import { stepFills } from './chart-paths.tsx'
import styles from './history-chart.module.css'

/** What the colours and marks of the rows mean. */
export function HistoryLegend() {
  return (
    <p className={styles.legend}>
      <svg aria-hidden="true" width="78" height="12" viewBox="0 0 78 12">
        {stepFills.map((fill, at) => (
          <rect key={fill} fill={fill} x={at * 13} width="11" height="12" />
        ))}
      </svg>
      <span>{historyTexts.latency(latencyBoundsMs[0], latencyBoundsMs.at(-1) ?? 0)}</span>
      <svg aria-hidden="true" width="10" height="10" viewBox="0 0 1 1">
        <path className={parts.dissent} d="M0.5 0l0.5 0.5l-0.5 0.5l-0.5 -0.5z" />
      </svg>
      <span>{historyTexts.dissent}</span>
      <svg aria-hidden="true" width="10" height="10" viewBox="0 0 10 10">
        <path className={styles.fault} d="M0 7h10v3h-10z" />
      </svg>
      <span>{historyTexts.fault}</span>
    </p>
  )
}
