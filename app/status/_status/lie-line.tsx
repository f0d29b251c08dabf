import type { ChainSnapshot } from '#lib/engine/engine-reads.ts'
import { statusTexts } from '#lib/page/texts/status.ts'
import { isLieCheap } from '#lib/status/lie-report.ts'
import styles from './chain-nodes.module.css'

/** Whether a lie could become a result now: how many operators it takes, whether the witnesses make it more, what was proven and what was signed. */
export function LieLine({
  chain: { everydayRule, operatorsToLie, proofs, signed },
}: {
  readonly chain: Pick<ChainSnapshot, 'everydayRule' | 'operatorsToLie' | 'proofs' | 'signed'>
}) {
  const isCheap = isLieCheap(operatorsToLie)
  return (
    <p className={styles.lie} data-cheap={isCheap.everyday || isCheap.protected}>
      {[
        statusTexts.everydayRule[everydayRule],
        statusTexts.lie(operatorsToLie, isCheap),
        statusTexts.proofs(proofs),
        statusTexts.signed(signed),
      ]
        .filter(Boolean)
        .join(' ')}
    </p>
  )
}
