/** Copies a text; false when the browser refuses. Plain http has no clipboard, and the visitor may have denied access. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelected(text)
  }
}

/** Copies through a selection, for browsers without the Clipboard API. */
export function copySelected(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.style.cssText = 'position:fixed;top:0;opacity:0'
  const focused = document.activeElement
  // Inside a dialog nothing outside of it can be selected.
  const place = focused?.closest('dialog, [role="dialog"]') ?? document.body
  place.append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return copied
}

/** Installs a `navigator.clipboard` that falls back to a selection, for libraries that do not check whether there is one. */
export function provideClipboard(): void {
  const clipboard: Clipboard | undefined = navigator.clipboard
  const write = clipboard?.writeText
  const writeText = async (text: string) => {
    try {
      if (!write) throw new Error('there is no clipboard')
      await write.call(clipboard, text)
    } catch (cause) {
      if (!copySelected(text)) throw cause
    }
  }
  if (clipboard) Object.defineProperty(clipboard, 'writeText', { configurable: true, value: writeText })
  else Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } })
}
