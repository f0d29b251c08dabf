'use client'

import { lazyCode, useCode } from '../_ui/lazy-code.ts'
import { LoadFailed } from '../_ui/load-failed.tsx'
import type { ChecksProps } from './checks-props.ts'

const checksCode = lazyCode('evidence-checks', () => import('./evidence-checks.tsx'))

/** What only a browser can do with a certificate: its code and its words are loaded after the page. */
export function ChecksSlot({ failedText, ...props }: ChecksProps & { readonly failedText: string }) {
  const { module, isFailed, load } = useCode(checksCode, { isWanted: true })
  return (
    <>
      {isFailed && <LoadFailed text={failedText} onRetry={load} />}
      {module && <module.default {...props} />}
    </>
  )
}
