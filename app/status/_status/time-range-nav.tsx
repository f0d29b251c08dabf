import { dayTime } from '#lib/page/format.ts'
import { historyTexts } from '#lib/page/texts/history.ts'
import {
  boundsOf,
  shift,
  type TimeRange,
  type TimeRangeName,
  timeRangeQuery,
  timeRanges,
} from '#lib/status/time-range.ts'
import { PageLink } from '../../_ui/page-link.tsx'
import styles from './time-range-nav.module.css'

export interface TimeRangeNavProps {
  readonly timeRange: TimeRange
  readonly nowMs: number
  /** Whether an incident can be downloaded here: not for a remote gateway. */
  readonly incident: boolean
}

/** Selects the shown part of the last day. Plain links, so that each view has a url. */
export function TimeRangeNav({ timeRange, nowMs, incident }: TimeRangeNavProps) {
  const { fromMs, toMs } = boundsOf(timeRange, nowMs)
  const [earlier, later] = [shift(timeRange, -1, nowMs), shift(timeRange, 1, nowMs)]
  return (
    <nav className={styles.nav} aria-label={historyTexts.timeRange}>
      <ul>
        {(Object.keys(timeRanges) as TimeRangeName[]).map((name) => (
          <li key={name}>
            <PageLink
              href={`/status?${timeRangeQuery({ last: name })}`}
              aria-current={'last' in timeRange && timeRange.last === name ? 'true' : undefined}
            >
              {historyTexts.last[name]}
            </PageLink>
          </li>
        ))}
      </ul>
      {!('last' in timeRange) && <span>{historyTexts.fixedRange(dayTime(fromMs), dayTime(toMs))}</span>}
      <ul>
        {earlier && (
          <li>
            <PageLink href={`/status?${timeRangeQuery(earlier)}`}>{historyTexts.earlier}</PageLink>
          </li>
        )}
        {later && (
          <li>
            <PageLink href={`/status?${timeRangeQuery(later)}`}>{historyTexts.later}</PageLink>
          </li>
        )}
        <li>
          <PageLink href={`/status?${timeRangeQuery({ fromMs, toMs })}`}>
            {historyTexts.linkToMoment}
          </PageLink>
        </li>
        {incident && (
          <li>
            <a href={`/api/rpc/incident?from=${fromMs}&to=${toMs}`} download>
              {historyTexts.incident}
            </a>
          </li>
        )}
      </ul>
      <p>{historyTexts.zoom}</p>
    </nav>
  )
}
