'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { statusTexts } from '#lib/page/texts/status.ts'
import button from '../../_ui/button.module.css'
import styles from './auto-refresh.module.css'

const refreshMs = 4000

/** Refreshes the page while it is visible, unless paused. Without JavaScript the browser reloads it. */
export function AutoRefresh() {
  const router = useRouter()
  const [paused, setPaused] = useState(false)
  useEffect(() => {
    if (paused) return
    const timer = setInterval(() => {
      if (!document.hidden) router.refresh()
    }, refreshMs)
    return () => clearInterval(timer)
  }, [router, paused])

  return (
    <div className={styles.refresh}>
      <noscript>
        <meta httpEquiv="refresh" content="4" />
      </noscript>
      <span className={styles.dot} data-paused={paused} aria-hidden="true" />
      <span>{paused ? statusTexts.paused : statusTexts.refreshes}</span>
      <button type="button" className={button.bare} onClick={() => setPaused(!paused)}>
        {paused ? statusTexts.resume : statusTexts.pause}
      </button>
    </div>
  )
}
