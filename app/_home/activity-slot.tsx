'use client'

import { useEffect } from 'react'
import { accountTexts } from '#lib/page/texts/account.ts'
import { activityTexts } from '#lib/page/texts/activity.ts'
import { LoadFailed } from '../_ui/load-failed.tsx'
import { createPart, usePart } from '../_ui/part.ts'
import styles from './activity-slot.module.css'

const listPart = createPart(() => import('../_send/activity.tsx'))

/** Placeholder of the transaction list, which is loaded in the browser only. */
export function ActivitySlot({ address }: { address: `0x${string}` }) {
  const { module, name } = usePart(listPart)
  useEffect(listPart.load, [])
  return (
    <section className={styles.slot}>
      <h2>{activityTexts.title}</h2>
      {name === 'failed' && <LoadFailed text={accountTexts.activityFailed} onRetry={listPart.load} />}
      {module && <module.default address={address} />}
    </section>
  )
}
