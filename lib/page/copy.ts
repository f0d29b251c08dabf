/** Copies a text; false where the browser does not let it. Plain http has no clipboard, and a visitor may have denied it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelected(text)
  }
}

/** The way of before there was a clipboard: what is selected is copied. */
function copySelected(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.style.cssText = 'position:fixed;top:0;opacity:0'
  const focused = document.activeElement
  // In a dialog nothing outside of it can be selected.
  const place = focused?.closest('dialog, [role="dialog"]') ?? document.body
  place.append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return copied
}

/** Gives the page a clipboard that knows both ways, for libraries that take the browser's without asking whether there is one. */
export function lendClipboard(): void {
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
