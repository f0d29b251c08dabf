'use client'

import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { type ChainHealth, fetchHealth, type Healths, healthQuery } from '#lib/page/health-query.ts'
import { chainTexts } from '#lib/page/texts/chain.ts'
import { useSite } from '../_wallet/wallet.ts'
import styles from './chain-notice.module.css'

/** Shows which chains are degraded or down, until it is closed for the visit. Its place is kept free, so that it shifts nothing. */
export function ChainNotice({ isLate }: { isLate: boolean }) {
  // Decided once, as for a figure.
  const [isStreamed] = useState(isLate)
  return (
    <div className={styles.place} role="status">
      {isStreamed ? (
        <Suspense>
          <Streamed />
        </Suspense>
      ) : (
        <Polled />
      )}
    </div>
  )
}

function Polled() {
  const { data = {} } = useQuery(healthQuery(fetchHealth(useSite().gateway)))
  return <Words healths={data} />
}

function Streamed() {
  const { data } = useSuspenseQuery(healthQuery(fetchHealth(useSite().gateway)))
  return <Words healths={data} />
}

const closedKey = 'quorate.closed'

function Words({ healths }: { healths: Healths }) {
  const { chains } = useSite()
  const [closed, setClosed] = useState<string | null>(null)
  useEffect(() => setClosed(readClosed()), [])
  const named = (health: ChainHealth) =>
    chains
      .filter(({ id }) => healths[id] === health)
      .map(({ name }) => name)
      .join(', ')
  const down = named('down')
  const names = down || named('degraded')
  const state = down ? 'down' : 'degraded'
  // What was closed says nothing about a worse state.
  if (!names || closed === state || closed === 'down') return null
  const close = () => {
    setClosed(state)
    keepClosed(state)
  }
  return (
    <p className={styles.notice} data-down={state === 'down'}>
      <svg width="16" height="16" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
        <path d="M8 1.5 15.5 14.5H.5zM7.2 6v4.2h1.6V6zm0 5.4V13h1.6v-1.6z" fillRule="evenodd" />
      </svg>
      <span>{chainTexts[state](names)}</span>
      <button type="button" aria-label={chainTexts.closeNotice} onClick={close}>
        <svg
          width="16"
          height="16"
          viewBox="0 0 18 18"
          stroke="currentColor"
          strokeWidth="1.8"
          aria-hidden="true"
        >
          <path d="m4.5 4.5 9 9m0-9-9 9" strokeLinecap="round" />
        </svg>
      </button>
    </p>
  )
}

/** The state that was closed in this tab. */
function readClosed(): string | null {
  try {
    return sessionStorage.getItem(closedKey)
  } catch {
    return null
  }
}

function keepClosed(state: string): void {
  try {
    sessionStorage.setItem(closedKey, state)
  } catch {
    // Without storage it is closed until the page is left.
  }
}
