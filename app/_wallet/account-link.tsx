'use client'

import { useState } from 'react'
import { lazyCode, useCode } from '../_ui/lazy-code.ts'
import { PageLink } from '../_ui/page-link.tsx'
import { useSite, useWalletState } from './wallet.ts'

const verifyCode = lazyCode('verify', () => import('./verify-dialog.tsx'))

/** A link to a page for signed-in visitors. A connected visitor without a session signs in over the current page. */
export function AccountLink({
  href,
  children,
}: {
  readonly href: `/${string}`
  readonly children: React.ReactNode
}) {
  const { isSignedIn, prepare } = useSite()
  const { phase } = useWalletState()
  const [isOpen, setOpen] = useState(false)
  const { module } = useCode(verifyCode, { isWanted: isOpen })
  return (
    <>
      <PageLink
        href={href}
        onPointerEnter={prepare}
        instead={() => {
          if (isSignedIn || phase !== 'connected') return false
          setOpen(true)
          return true
        }}
      >
        {children}
      </PageLink>
      {isOpen && module && <module.VerifyDialog next={href} onClose={() => setOpen(false)} />}
    </>
  )
}
