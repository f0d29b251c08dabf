'use client'

import { useRouter } from 'next/navigation'
import { useCallback, useEffect, useRef, useState } from 'react'
import { notify } from '#lib/page/notify.ts'
import { shellTexts } from '#lib/page/texts/shell.ts'
import { sessionTexts } from '#lib/page/texts/sign-in.ts'
import { tellTabs, watchTabs } from '#lib/wallet/other-tabs.ts'
import { endSession, type ListedSession, listSessions, NoSessionError } from '#lib/wallet/session.ts'
import button from '../_ui/button.module.css'
import form from '../_ui/form.module.css'
import { Worded } from '../_ui/worded.tsx'
import styles from './account.module.css'
import { localTime } from './local-time.tsx'

interface SessionsProps {
  readonly chains: readonly { readonly id: number; readonly name: string }[]
}

type Listed = readonly ListedSession[] | 'loading' | 'failed'

/** All sessions of the account. Each can be ended here. */
export function Sessions({ chains }: SessionsProps) {
  const [listed, setListed] = useState<Listed>('loading')
  const title = useRef<HTMLHeadingElement>(null)
  const router = useRouter()
  const load = useCallback(() => {
    listSessions().then(setListed, (error) => {
      setListed((last) => (typeof last === 'string' ? 'failed' : last))
      // The server then redirects to the sign-in page.
      if (error instanceof NoSessionError) router.refresh()
    })
  }, [router])
  useEffect(() => {
    load()
    return watchTabs(load)
  }, [load])

  function retry() {
    setListed('loading')
    load()
  }

  async function end(id: string) {
    try {
      await endSession(id)
      tellTabs('signed-out')
      notify(sessionTexts.ended)
      setListed((all) => (typeof all === 'string' ? all : all.filter((session) => session.id !== id)))
      // The focused button is removed.
      title.current?.focus()
    } catch (error) {
      if (error instanceof NoSessionError) return router.refresh()
      notify(sessionTexts.notEnded, { isError: true })
    }
  }

  return (
    <section className={styles.sessions} aria-labelledby="sessions-title" aria-busy={listed === 'loading'}>
      <h2 id="sessions-title" ref={title} tabIndex={-1}>
        {sessionTexts.sessions}
      </h2>
      {listed === 'loading' && <p className={form.note}>{sessionTexts.loading}</p>}
      {listed === 'failed' && (
        <p className={form.error}>
          <span>{sessionTexts.notLoaded}</span>{' '}
          <button type="button" className={button.bare} onClick={retry}>
            {shellTexts.retry}
          </button>
        </p>
      )}
      {typeof listed !== 'string' && (
        <ul className={styles.list}>
          {listed.map(({ id, isCurrent, device, chainId, signedInAt, seenAt }) => (
            <li key={id} className={styles.session}>
              <span className={styles.where}>
                {[
                  isCurrent ? sessionTexts.here(device) : (device ?? sessionTexts.elsewhere),
                  chains.find((chain) => chain.id === chainId)?.name ?? chainId,
                ].join(' · ')}
              </span>
              <span className={styles.when}>
                <Worded
                  text={sessionTexts.times(localTime(Date.parse(signedInAt)), localTime(Date.parse(seenAt)))}
                />
              </span>
              {!isCurrent && (
                <button type="button" className={button.bare} onClick={() => void end(id)}>
                  {sessionTexts.end}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
