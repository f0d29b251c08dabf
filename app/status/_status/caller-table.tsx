import type { CallerUsage } from '#lib/engine/engine-reads.ts'
import type { Figures } from '#lib/page/format.ts'
import { statusTexts } from '#lib/page/texts/status.ts'
import { ColumnHeads } from '../../_ui/column-heads.tsx'
import { ScrollRegion } from '../../_ui/scroll-region.tsx'
import stacked from '../../_ui/stacked.module.css'
import styles from './disputes.module.css'

export interface CallerTableProps {
  readonly usage: CallerUsage
  readonly figures: Figures
}

/** What each caller with a key has used in this month. */
export function CallerTable({
  usage: { month, callers, usage },
  figures: { block: figure },
}: CallerTableProps) {
  const { callers: texts } = statusTexts
  return (
    <section className={styles.disputes} aria-labelledby="callers">
      <h2 id="callers">{texts.title}</h2>
      <ScrollRegion label={texts.table} className={styles.scroll}>
        <table className={stacked.table}>
          <ColumnHeads columns={texts.columns} />
          <tbody translate="no">
            {callers.map(({ name, perMonth, monthUnits }) => {
              const own = usage.filter(({ day, caller }) => day === month && caller === name)
              const sum = (of: 'calls' | 'cacheHits' | 'errors') => own.reduce((all, row) => all + row[of], 0)
              return (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td data-label={texts.columns[1]}>{figure(Math.round(monthUnits))}</td>
                  <td data-label={texts.columns[2]}>{perMonth === null ? '–' : figure(perMonth)}</td>
                  <td data-label={texts.columns[3]}>{figure(sum('calls'))}</td>
                  <td data-label={texts.columns[4]}>{figure(sum('cacheHits'))}</td>
                  <td data-label={texts.columns[5]}>{figure(sum('errors'))}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  )
}
