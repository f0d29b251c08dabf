import { dayTime } from '#lib/page/format.ts'
import {
  boundsOf,
  type Stretch,
  type StretchName,
  shifted,
  stretches,
  stretchQuery,
} from '#lib/page/stretch.ts'
import { boardTexts } from '#lib/page/texts/board.ts'
import styles from './stretch-nav.module.css'

/** Which part of the last day is shown; plain links, so that each view has an address. */
export function StretchNav({ stretch, nowMs }: { stretch: Stretch; nowMs: number }) {
  const { fromMs, toMs } = boundsOf(stretch, nowMs)
  const [earlier, later] = [shifted(stretch, -1, nowMs), shifted(stretch, 1, nowMs)]
  return (
    <nav className={styles.nav} aria-label={boardTexts.stretch}>
      <ul>
        {(Object.keys(stretches) as StretchName[]).map((name) => (
          <li key={name}>
            <a
              href={`?${stretchQuery({ last: name })}`}
              aria-current={'last' in stretch && stretch.last === name ? 'true' : undefined}
            >
              {boardTexts.last[name]}
            </a>
          </li>
        ))}
      </ul>
      {!('last' in stretch) && <span>{boardTexts.held(dayTime(fromMs), dayTime(toMs))}</span>}
      <ul>
        {earlier && (
          <li>
            <a href={`?${stretchQuery(earlier)}`}>{boardTexts.earlier}</a>
          </li>
        )}
        {later && (
          <li>
            <a href={`?${stretchQuery(later)}`}>{boardTexts.later}</a>
          </li>
        )}
        <li>
          <a href={`?${stretchQuery({ fromMs, toMs })}`}>{boardTexts.hold}</a>
        </li>
        <li>
          <a href={`/api/rpc/incident?from=${fromMs}&to=${toMs}`} download>
            {boardTexts.incident}
          </a>
        </li>
      </ul>
      <p>{boardTexts.zoom}</p>
    </nav>
  )
}
