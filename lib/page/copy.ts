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
export function copySelected(text: string): boolean {
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
