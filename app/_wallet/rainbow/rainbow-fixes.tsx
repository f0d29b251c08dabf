import { useEffect } from 'react'

/** Adds missing accessible names to RainbowKit, whenever one of its modals changes. */
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
  // A translation takes away the texts that it would change or remove, which throws.
  for (const modal of document.querySelectorAll('[data-rk]:not([translate])')) {
    modal.setAttribute('translate', 'no')
  }
  // Its images are next to the names of what they show, so they are decorative.
  for (const picture of document.querySelectorAll(
    '[data-rk] [role="img"]:not([aria-label], [aria-hidden])',
  )) {
    picture.setAttribute('aria-hidden', 'true')
  }
  // Its account modal refers to a title that does not exist.
  for (const window of document.querySelectorAll('[data-rk][role="dialog"][aria-labelledby]')) {
    const title = window.querySelector('h1[id]')
    if (title && !document.getElementById(window.getAttribute('aria-labelledby') ?? '')) {
      window.setAttribute('aria-labelledby', title.id)
    }
  }
}
