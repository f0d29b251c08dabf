import { dayTime } from '#lib/page/format.ts'
import { boardTexts } from '#lib/page/texts/board.ts'
import {
  boundsOf,
  type Stretch,
  type StretchName,
  shifted,
  stretches,
  stretchQuery,
} from '#lib/status/stretch.ts'
import { PageLink } from '../../_ui/page-link.tsx'
import styles from './stretch-nav.module.css'

export interface StretchNavProps {
  readonly stretch: Stretch
  readonly nowMs: number
  /** Whether an incident can be downloaded here: not for a remote gateway. */
  readonly incident: boolean
}

/** Selects the shown part of the last day. Plain links, so that each view has a url. */
export function StretchNav({ stretch, nowMs, incident }: StretchNavProps) {
  const { fromMs, toMs } = boundsOf(stretch, nowMs)
  const [earlier, later] = [shifted(stretch, -1, nowMs), shifted(stretch, 1, nowMs)]
  return (
    <nav className={styles.nav} aria-label={boardTexts.stretch}>
      <ul>
        {(Object.keys(stretches) as StretchName[]).map((name) => (
          <li key={name}>
            <PageLink
              href={`/status?${stretchQuery({ last: name })}`}
              aria-current={'last' in stretch && stretch.last === name ? 'true' : undefined}
            >
              {boardTexts.last[name]}
            </PageLink>
          </li>
        ))}
      </ul>
      {!('last' in stretch) && <span>{boardTexts.held(dayTime(fromMs), dayTime(toMs))}</span>}
      <ul>
        {earlier && (
          <li>
            <PageLink href={`/status?${stretchQuery(earlier)}`}>{boardTexts.earlier}</PageLink>
          </li>
        )}
        {later && (
          <li>
            <PageLink href={`/status?${stretchQuery(later)}`}>{boardTexts.later}</PageLink>
          </li>
        )}
        <li>
          <PageLink href={`/status?${stretchQuery({ fromMs, toMs })}`}>{boardTexts.hold}</PageLink>
        </li>
        {incident && (
          <li>
            <a href={`/api/rpc/incident?from=${fromMs}&to=${toMs}`} download>
              {boardTexts.incident}
            </a>
          </li>
        )}
      </ul>
      <p>{boardTexts.zoom}</p>
    </nav>
  )
}
