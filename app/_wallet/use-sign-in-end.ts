'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useRef } from 'react'
import type { SignedInAs } from './facts.ts'
import type { Phase } from './wallet.ts'

interface Connected {
  readonly phase: Phase
  readonly address: string | undefined
  readonly chainId: number | undefined
}

/**
 * Ends a sign-in when its account is no longer the wallet's: on another account, on "Disconnect", and for a contract wallet on
 * another network, where somebody else may own the address. The page is then requested again, so that nothing of the session stays on it.
 */
export function useSignInEnd(signedIn: SignedInAs | null, { phase, address, chainId }: Connected): void {
  const router = useRouter()
  const wasConnected = useRef(false)
  useEffect(() => {
    const isConnected = phase === 'connected' && address !== undefined
    const isLeft = wasConnected.current && phase === 'none'
    wasConnected.current = isConnected
    if (signedIn === null) return
    const isOther = isConnected && address.toLowerCase() !== signedIn.address.toLowerCase()
    const isElsewhere = isConnected && signedIn.contractOn !== null && signedIn.contractOn !== chainId
    if (!isLeft && !isOther && !isElsewhere) return
    void import('#lib/wallet/session.ts')
      .then(({ surelySignOut }) => surelySignOut())
      .catch(() => {})
      .finally(() => router.refresh())
  }, [signedIn, phase, address, chainId, router])
}
