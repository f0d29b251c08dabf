import { useRouter } from 'next/navigation'
import { useEffect, useRef } from 'react'
import type { PhaseState } from './wallet.ts'

/**
 * Ends the session when its account is no longer the one of the wallet: on another account, on "Disconnect", and for a contract
 * wallet on another network, where the address may have another owner. Reloads the page then, and where the session has ended
 * elsewhere, so that it shows no session data.
 */
export function useSignInEnd(signedIn: string | null, { phase, address, chainId }: PhaseState): void {
  const router = useRouter()
  const wasConnected = useRef(false)
  useEffect(() => {
    const isConnected = phase === 'connected' && address !== undefined
    const isLeft = wasConnected.current && phase === 'none'
    wasConnected.current = isConnected
    if (signedIn === null) return
    const own = `${address}`.toLowerCase()
    const isOther = isConnected && ![own, `${own}:${chainId}`].includes(signedIn.toLowerCase())
    if (!isLeft && !isOther) return
    void import('#lib/wallet/session.ts')
      // The code of an older build may be gone; the session must end all the same.
      .then(
        ({ surelySignOut }) => surelySignOut(signedIn),
        () => fetch(`/api/auth/session?of=${signedIn}`, { method: 'DELETE' }),
      )
      .catch(() => {})
      .finally(() => router.refresh())
  }, [signedIn, phase, address, chainId, router])
  useEffect(() => {
    if (signedIn === null) return
    const watching = watchSession(signedIn, () => router.refresh())
    return () => void watching.then((end) => end())
  }, [signedIn, router])
}

/** Calls back when the session has ended in another tab, or elsewhere as is seen when this tab comes to the front. */
async function watchSession(account: string, onEnd: () => void): Promise<() => void> {
  try {
    const [{ hasSession }, { watchTabs }] = await Promise.all([
      import('#lib/wallet/session.ts'),
      import('#lib/wallet/other-tabs.ts'),
    ])
    return watchTabs(async (ended) => {
      if (ended !== 'disconnected' && !(await hasSession(account).catch(() => true))) onEnd()
    })
  } catch {
    // The code of an older build may be gone. The server asks on each page anyway.
    return () => {}
  }
}
