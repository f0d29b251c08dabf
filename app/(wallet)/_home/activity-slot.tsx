'use client'

import { type ComponentType, useEffect, useState } from 'react'
import { activityTexts } from '#lib/page/texts/activity.ts'
import styles from './activity-slot.module.css'

/** Keeps the place of the list of transactions, whose code and contents only the browser has. */
export function ActivitySlot({ address }: { address: `0x${string}` }) {
  const [List, setList] = useState<ComponentType<{ address: `0x${string}` }> | null>(null)
  useEffect(() => {
    import('../_send/activity.tsx').then(
      (module) => setList(() => module.default),
      () => {},
    )
  }, [])
  return (
    <section className={styles.slot}>
      <h2>{activityTexts.title}</h2>
      {List && <List address={address} />}
    </section>
  )
}
