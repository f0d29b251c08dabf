/** Where the page's first script leaves what it has recorded. */
const slot = 'quorateEarlyPress'

/**
 * Runs in the HTML, before any code of ours: remembers the last press on a button that says so by `data-press`, and shows
 * that it was heard. Only buttons that may be pressed twice say so.
 */
export const earlyPressScript = `{
  const hear = ({ target }) => {
    const button = target.closest && target.closest('button[data-press]')
    if (!button) return
    button.setAttribute('aria-busy', 'true')
    window.${slot}.button = button
  }
  window.${slot} = { button: null, stop: () => removeEventListener('click', hear, true) }
  addEventListener('click', hear, true)
}`

interface EarlyPress {
  readonly button: HTMLButtonElement | null
  readonly stop: () => void
}

/** Presses again what was pressed before the page could answer; from now on it can. */
export function replayPress(): void {
  const early = Reflect.get(window, slot) as EarlyPress | undefined
  Reflect.deleteProperty(window, slot)
  early?.stop()
  early?.button?.removeAttribute('aria-busy')
  early?.button?.click()
}
