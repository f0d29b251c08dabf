import { type Scorecard, type ScorecardRange, scorecardRanges } from '#lib/engine/scorecard.ts'
import { scorecardTexts } from '#lib/page/texts/scorecard.ts'
import { PageLink } from '../../_ui/page-link.tsx'
import { Worded } from '../../_ui/worded.tsx'
import styles from './time-range-nav.module.css'

interface ScorecardNavProps {
  readonly scorecard: Pick<Scorecard, 'last' | 'sinceMs' | 'fromMs'>
  /** Whether it can be downloaded here: not that of a remote gateway. */
  readonly downloads: boolean
}

/** Selects the time range of the scorecard, and downloads it. */
export function ScorecardNav({ scorecard: { last, sinceMs, fromMs }, downloads }: ScorecardNavProps) {
  return (
    <nav className={styles.nav} aria-label={scorecardTexts.range}>
      <ul>
        {(Object.keys(scorecardRanges) as ScorecardRange[]).map((name) => (
          <li key={name}>
            <PageLink
              href={`/status/scorecard?last=${name}`}
              aria-current={name === last ? 'true' : undefined}
            >
              {scorecardTexts.last[name]}
            </PageLink>
          </li>
        ))}
      </ul>
      {downloads && (
        <ul>
          <li>
            <a href={`/api/rpc/scorecard?last=${last}&format=csv`} download>
              {scorecardTexts.csv}
            </a>
          </li>
          <li>
            <a href={`/api/rpc/scorecard?last=${last}`}>{scorecardTexts.json}</a>
          </li>
        </ul>
      )}
      {sinceMs > fromMs && (
        <p>
          <Worded text={scorecardTexts.since(sinceMs)} />
        </p>
      )}
    </nav>
  )
}
