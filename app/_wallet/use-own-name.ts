import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ownNameKey } from '#lib/wallet/visitor.ts'
import type { PhaseState, VisitorAccount } from './wallet.ts'
import type { WalletFacts } from './wallet-types.ts'

const dayMs = 86_400_000

/** Queries the name of an account. Retries until there is a result, but only twice if the resolver gives no usable one. */
export function ownNameQuery(address: `0x${string}`, chainId: number) {
  return {
    queryKey: ownNameKey(address, chainId),
    queryFn: async () => (await import('#lib/wallet/own-name.ts')).readOwnName(address, chainId),
    staleTime: dayMs,
    retry: (failures: number, { cause }: Error) => cause !== 'resolver' || failures < 2,
  }
}

/**
 * The name of the visitor's account: at first that of the cookie, which is looked up again after a day, and for another account or chain.
 * Without `useQuery`, which the pages that read nothing would load for it.
 */
export function useOwnName(
  queries: QueryClient,
  { visitor, hasNames }: WalletFacts,
  { address, chainId, phase }: PhaseState,
): string | undefined {
  const [found, setFound] = useState<Pick<VisitorAccount, 'address' | 'name'> | null>(null)
  useEffect(() => {
    if (!hasNames || phase !== 'connected' || !address || !chainId) return
    let isCurrent = true
    const query = ownNameQuery(address, chainId)
    const show = (next: typeof found) => isCurrent && setFound(next)
    queries.fetchQuery(query).then(
      (name) => show({ address, name }),
      () => show(null),
    )
    return () => {
      isCurrent = false
      void queries.cancelQueries(query)
    }
  }, [queries, hasNames, phase, address, chainId])
  const { name } = (found?.address === address ? found : address === visitor?.address ? visitor : null) ?? {}
  return name || undefined
}
