'use client'

import { accountTexts } from '#lib/page/texts/account.ts'
import { activityTexts } from '#lib/page/texts/activity.ts'
import { lazyCode, useCode } from '../_ui/lazy-code.ts'
import { LoadFailed } from '../_ui/load-failed.tsx'
import styles from './activity-slot.module.css'

const activityCode = lazyCode('activity', () => import('../_send/activity.tsx'))

/** Placeholder of the transaction list, which is loaded in the browser only. */
export function ActivitySlot({ address }: { address: `0x${string}` }) {
  const { module, isFailed, load } = useCode(activityCode, { isWanted: true })
  return (
    <section className={styles.slot}>
      <h2>{activityTexts.title}</h2>
      {isFailed && <LoadFailed text={accountTexts.activityFailed} onRetry={load} />}
      {module && <module.default address={address} />}
    </section>
  )
}
