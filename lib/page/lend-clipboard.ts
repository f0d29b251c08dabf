import { copySelected } from './copy.ts'

/** Installs a `navigator.clipboard` that falls back to a selection, for libraries that do not check whether there is one. */
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
