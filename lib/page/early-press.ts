/** The property of `window` in which the script below records a press. */
const slot = 'quorateEarlyPress'

/**
 * Inlined in the HTML, so that it runs before hydration: records the last click on a button with `data-press` and marks it as
 * busy. Only buttons that are safe to press twice have the attribute.
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

/** Replays a click from before hydration and stops recording. */
export function replayPress(): void {
  const early = Reflect.get(window, slot) as EarlyPress | undefined
  Reflect.deleteProperty(window, slot)
  early?.stop()
  early?.button?.removeAttribute('aria-busy')
  early?.button?.click()
}
