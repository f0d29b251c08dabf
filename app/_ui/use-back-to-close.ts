import { useEffectEvent, useLayoutEffect } from 'react'

/** In the state of the entry that is added to the history. */
export const openMark = 'quorate-open'

const isMarked = () => Boolean((history.state as Record<string, unknown> | null)?.[openMark])

let openCount = 0

/**
 * Has the browser's Back close what is open over the page, as a phone's visitors expect. It adds an entry to the history, and takes it away
 * once all is closed in another way.
 */
export function useBackToClose(isOpen: boolean, close: () => void): void {
  const onBack = useEffectEvent(close)
  // Before it is painted: Back on what can be seen must not leave the page.
  useLayoutEffect(() => {
    if (!isOpen) return
    openCount += 1
    // After a reload the entry is still there.
    if (!isMarked()) history.pushState({ ...history.state, [openMark]: true }, '')
    const hear = () => {
      if (!isMarked()) onBack()
    }
    addEventListener('popstate', hear)
    return () => {
      openCount -= 1
      removeEventListener('popstate', hear)
      // One window may give way to another. The entry of a page that was opened from here stays.
      setTimeout(() => {
        if (openCount === 0 && isMarked()) history.back()
      })
    }
  }, [isOpen])
}
