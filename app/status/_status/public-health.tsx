import type { ChainFacts } from '#lib/engine/chain-facts.ts'
import { statusTexts } from '#lib/page/texts/status.ts'
import type { PublicHealth as Report } from '#lib/reads/gather-figures.ts'
import { isLieCheap } from '#lib/status/lie-report.ts'
import { ChainMark } from '../../_ui/chain-mark.tsx'
import { Worded } from '../../_ui/worded.tsx'
import { Health } from './health-sign.tsx'
import styles from './status.module.css'

/** Public information: the health of each chain, and how many operators a lie would take, without node names. */
export function PublicHealth({
  chains,
  report: { healths, operatorsToLie },
}: {
  readonly chains: readonly ChainFacts[]
  readonly report: Report
}) {
  const lieOf = (id: number) => {
    const most = operatorsToLie.get(id)
    return most && statusTexts.lie(most, isLieCheap(most))
  }
  return (
    <section className={styles.public}>
      <p>{statusTexts.operatorOnly}</p>
      <ul>
        {chains.map(({ id, name }) => (
          <li key={id}>
            <ChainMark id={id} name={name} size={32} />
            <h2 translate="no">{name}</h2>
            <Health health={healths[id] ?? 'unknown'} why={null} />
            <p className={styles.lie}>
              <Worded text={lieOf(id)} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
