import type { Certificate } from '#lib/engine/engine-reads.ts'
import { clockTime } from '#lib/page/format.ts'
import { answerTexts } from '#lib/page/texts/answer.ts'
import { outvoted } from '#lib/status/history-figures.ts'
import { ColumnHeads } from '../../_ui/column-heads.tsx'
import { PageLink } from '../../_ui/page-link.tsx'
import { ScrollRegion } from '../../_ui/scroll-region.tsx'
import stacked from '../../_ui/stacked.module.css'
import styles from './disputes.module.css'
import { Fold } from './fold.tsx'
import { chainName } from './viewer.ts'

/** The latest answers on which nodes differed, with links to their certificates. */
export function Disputes({ disputes }: { readonly disputes: readonly Certificate[] }) {
  return (
    <section className={styles.disputes} aria-labelledby="disputes">
      <h2 id="disputes">{answerTexts.disputes}</h2>
      <p>{disputes.length === 0 ? answerTexts.noDisputes : answerTexts.disputesStory}</p>
      {disputes.length > 0 && (
        <Fold title={answerTexts.disputeCount(disputes.length)}>
          <ScrollRegion label={answerTexts.disputesTable} className={styles.scroll}>
            <table className={stacked.table}>
              <ColumnHeads columns={answerTexts.disputeColumns} />
              <tbody translate="no">
                {disputes.map((dispute) => (
                  <tr key={dispute.id} data-failed={dispute.outcome === 'failed'}>
                    <td>{clockTime(dispute.endMs)}</td>
                    <td>{chainName(dispute.chainId)}</td>
                    <th scope="row">
                      <PageLink href={`/status/answers/${dispute.id}`}>{dispute.method}</PageLink>
                    </th>
                    <td>{answerTexts.result(dispute)}</td>
                    <td data-label={answerTexts.disputeColumns[4]}>{outvoted(dispute).join(', ') || '–'}</td>
                    <td data-label={answerTexts.disputeColumns[5]}>{blockRefsOf(dispute)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollRegion>
        </Fold>
      )}
    </section>
  )
}

const blockRefsMax = 2

function blockRefsOf({ difference }: Certificate): string {
  if (difference.length === 0) return '–'
  const named = difference.slice(0, blockRefsMax).map(({ path }) => path || answerTexts.whole)
  const more = difference.length - named.length
  return [...named, ...(more > 0 ? [answerTexts.more(more)] : [])].join(', ')
}
