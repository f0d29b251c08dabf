'use client'

import { useEffect, useSyncExternalStore } from 'react'
import { errorTexts } from '#lib/page/texts/notice.ts'
import { checkVersion, oldVersion } from '#lib/page/version.ts'
import button from './button.module.css'
import styles from './new-version.module.css'

export function useIsOldVersion(): boolean {
  return useSyncExternalStore(oldVersion.subscribe, oldVersion.get, () => false)
}

/** Offers to reload where the server has a newer build. */
export function NewVersion() {
  const isOld = useIsOldVersion()
  return (
    <div role="status">
      {isOld && (
        <p className={styles.notice}>
          <span>{errorTexts.newVersion}</span>
          <button type="button" className={button.quiet} onClick={() => location.reload()}>
            {errorTexts.reload}
          </button>
        </p>
      )}
    </div>
  )
}

/** The same for the whole page, below everything. It checks the version when a file of the build does not load. */
export function NewVersionBar() {
  useEffect(() => {
    const check = ({ target }: Event) => {
      const { src, href } = target as { src?: unknown; href?: unknown }
      if (`${src ?? href}`.includes('/_next/static/')) void checkVersion()
    }
    // These events do not bubble.
    addEventListener('error', check, true)
    return () => removeEventListener('error', check, true)
  }, [])
  return (
    <div className={styles.bar}>
      <NewVersion />
    </div>
  )
}
