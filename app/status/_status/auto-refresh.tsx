'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useState, useTransition } from 'react'
import { statusTexts } from '#lib/page/texts/status.ts'
import { watchTabs } from '#lib/wallet/other-tabs.ts'
import button from '../../_ui/button.module.css'
import styles from './auto-refresh.module.css'

const refreshMs = 4000

/** One by one: with texts that are chosen by a variable the page would load all of them. */
const stateTexts = {
  refreshes: statusTexts.refreshes,
  unreachable: statusTexts.unreachable,
  paused: statusTexts.paused,
}

/** Refreshes the page while it is visible, unless paused. Without JavaScript the browser reloads it, unless it has a form. */
export function AutoRefresh({ hasForm }: { readonly hasForm: boolean }) {
  const router = useRouter()
  const [state, setState] = useState<'refreshes' | 'unreachable' | 'paused'>('refreshes')
  const [isRefreshing, startRefresh] = useTransition()
  const isPaused = state === 'paused'
  const isDue = !isPaused && !isRefreshing
  useEffect(() => {
    if (!isDue) return
    let isOver = false
    const look = async () => {
      if (document.hidden) return
      const isServed = await isSiteServed()
      if (isOver) return
      setState(isServed ? 'refreshes' : 'unreachable')
      if (isServed) startRefresh(() => router.refresh())
    }
    const timer = setInterval(look, refreshMs)
    const unwatch = watchTabs(() => void look())
    return () => {
      isOver = true
      unwatch()
      clearInterval(timer)
    }
  }, [router, isDue])

  return (
    <div className={styles.refresh}>
      {!hasForm && (
        <noscript>
          <meta httpEquiv="refresh" content="4" />
        </noscript>
      )}
      <span className={styles.dot} data-state={isRefreshing ? 'refreshing' : state} aria-hidden="true" />
      <span role="status">{stateTexts[state]}</span>
      <button
        type="button"
        className={button.bare}
        onClick={() => setState(isPaused ? 'refreshes' : 'paused')}
      >
        {isPaused ? statusTexts.resume : statusTexts.pause}
      </button>
    </div>
  )
}

/** Where a refresh fails, Next opens the page again, and the browser's own error page would stay: of a restart, say, or of a proxy's 502. */
async function isSiteServed(): Promise<boolean> {
  try {
    return (await fetch('/api/rpc/live', { signal: AbortSignal.timeout(refreshMs) })).ok
  } catch {
    return false
  }
}
