'use client'

import type { ComponentType } from 'react'
import { accountTexts } from '#lib/page/texts/account.ts'
import { type LazyCode, lazyCode, useCode } from '../_ui/lazy-code.ts'
import { LoadFailed } from '../_ui/load-failed.tsx'
import styles from './slots.module.css'

interface OwnProps {
  readonly address: `0x${string}`
}

interface PartModule {
  readonly default: ComponentType<OwnProps>
}

interface SlotProps extends OwnProps {
  readonly className: string | undefined
  readonly title: string
  readonly code: LazyCode<PartModule>
  readonly failed: string
}

/** Placeholder of a part for the visitor alone, which is loaded in the browser only. */
function Slot({ className, title, code, failed, address }: SlotProps) {
  const { module, isFailed, load } = useCode(code, { isWanted: true, isAfterPaint: true })
  return (
    <section className={className}>
      <h2>{title}</h2>
      {isFailed && <LoadFailed text={failed} onRetry={load} />}
      {module && <module.default address={address} />}
    </section>
  )
}

const activityCode = lazyCode<PartModule>('activity', () => import('../_send/activity.tsx'))
const portfolioCode = lazyCode<PartModule>('portfolio', () => import('../_portfolio/portfolio.tsx'))

export function ActivitySlot(props: OwnProps) {
  return (
    <Slot
      {...props}
      className={styles.slot}
      title={accountTexts.activity}
      code={activityCode}
      failed={accountTexts.activityFailed}
    />
  )
}

export function PortfolioSlot(props: OwnProps) {
  return (
    <Slot
      {...props}
      className={styles.portfolio}
      title={accountTexts.tokens}
      code={portfolioCode}
      failed={accountTexts.tokensFailed}
    />
  )
}
