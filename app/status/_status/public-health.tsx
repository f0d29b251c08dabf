import type { ChainFacts } from '#lib/engine/chain-facts.ts'
import type { Healths } from '#lib/page/healths.ts'
import { statusTexts } from '#lib/page/texts/status.ts'
import { ChainMark } from '../../_ui/chain-mark.tsx'
import { Health } from './health-sign.tsx'
import styles from './status.module.css'

/** Public information: the health of each chain, without node names. */
export function PublicHealth({ chains, healths }: { chains: readonly ChainFacts[]; healths: Healths }) {
  return (
    <section className={styles.public}>
      <p>{statusTexts.operatorOnly}</p>
      <ul>
        {chains.map(({ id, name }) => (
          <li key={id}>
            <ChainMark id={id} name={name} size={32} />
            <h2>{name}</h2>
            <Health health={healths[id] ?? 'unknown'} why={null} />
          </li>
        ))}
      </ul>
    </section>
  )
}
