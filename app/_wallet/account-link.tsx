'use client'

import { useState } from 'react'
import { PageLink } from '../_ui/page-link.tsx'
import { usePart } from '../_ui/part.ts'
import { useWallet } from './wallet.ts'
import { verifyPart } from './wallet-parts.ts'

/** A link to a page for signed-in visitors. A connected visitor without a session signs in over the current page. */
export function AccountLink({
  href,
  children,
}: {
  readonly href: '/account'
  readonly children: React.ReactNode
}) {
  const { phase, isSignedIn, prepare } = useWallet()
  const { module } = usePart(verifyPart)
  const [isAsked, setAsked] = useState(false)
  return (
    <>
      <PageLink
        href={href}
        onPointerEnter={prepare}
        instead={() => {
          if (isSignedIn || phase !== 'connected') return false
          verifyPart.load()
          setAsked(true)
          return true
        }}
      >
        {children}
      </PageLink>
      {isAsked && module && <module.VerifyDialog next={href} onClose={() => setAsked(false)} />}
    </>
  )
}
