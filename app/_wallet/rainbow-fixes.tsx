'use client'

import { useEffect } from 'react'

/** Names what RainbowKit leaves without a name, whenever one of its windows changes. */
export function RainbowFixes() {
  useEffect(() => {
    const watcher = new MutationObserver(amend)
    watcher.observe(document.body, { childList: true, subtree: true })
    amend()
    return () => watcher.disconnect()
  }, [])
  return null
}

function amend(): void {
  // Its pictures stand beside the names of what they show, and call themselves images.
  for (const picture of document.querySelectorAll(
    '[data-rk] [role="img"]:not([aria-label], [aria-hidden])',
  )) {
    picture.setAttribute('aria-hidden', 'true')
  }
  // Its account window points at a title that it does not have.
  for (const window of document.querySelectorAll('[data-rk][role="dialog"][aria-labelledby]')) {
    const title = window.querySelector('h1[id]')
    if (title && !document.getElementById(window.getAttribute('aria-labelledby') ?? '')) {
      window.setAttribute('aria-labelledby', title.id)
    }
  }
}
