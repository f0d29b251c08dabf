'use client'

import { copyText } from '#lib/page/clipboard.ts'
import { notify } from '#lib/page/notify.ts'
import { accountTexts } from '#lib/page/texts/account.ts'
import { IconButton } from '../_ui/icon-button.tsx'

/** Copies the text, and says whether it did. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  return <IconButton label={label} path={sheetsPath} onClick={() => void copyAndTell(text)} />
}

const sheetsPath =
  'M6.5 6.5V4.6c0-.9.7-1.6 1.6-1.6h5.3c.9 0 1.6.7 1.6 1.6v5.3c0 .9-.7 1.6-1.6 1.6h-1.9M4.6 6.5h5.3c.9 0 1.6.7 1.6 1.6v5.3c0 .9-.7 1.6-1.6 1.6H4.6c-.9 0-1.6-.7-1.6-1.6V8.1c0-.9.7-1.6 1.6-1.6Z'

/** For any button that copies. */
export async function copyAndTell(text: string): Promise<void> {
  if (await copyText(text)) notify(accountTexts.copied)
  else notify(accountTexts.notCopied, { isError: true })
}
