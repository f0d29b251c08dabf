import type { ComponentType } from 'react'
import { accountTexts } from '#lib/page/texts/account.ts'
import { LoadFailed } from '../_ui/failure.tsx'
import { lazyCode, useCode } from '../_ui/lazy-code.ts'
import styles from './slots.module.css'

interface OwnProps {
  readonly address: `0x${string}`
}

interface PartModule {
  readonly default: ComponentType<OwnProps>
}

const parts = {
  activity: {
    className: styles.slot,
    title: accountTexts.activity,
    code: lazyCode<PartModule>('activity', () => import('../_send/activity.tsx')),
    failed: accountTexts.activityFailed,
  },
  portfolio: {
    className: styles.portfolio,
    title: accountTexts.tokens,
    code: lazyCode<PartModule>('portfolio', () => import('../_portfolio/portfolio.tsx')),
    failed: accountTexts.tokensFailed,
  },
}

/** Placeholder of a part for the visitor alone, which is loaded in the browser only. */
export function Slot({ part, address }: OwnProps & { readonly part: keyof typeof parts }) {
  const { className, title, code, failed } = parts[part]
  const { module, isFailed, load } = useCode(code, { isWanted: true, isAfterPaint: true })
  return (
    <section className={className}>
      <h2>{title}</h2>
      {isFailed && <LoadFailed text={failed} onRetry={load} />}
      {module && <module.default address={address} />}
    </section>
  )
}
