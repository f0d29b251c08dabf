'use client'

import { useEffect, useState } from 'react'
import type { Healths } from '#lib/page/healths.ts'
import type { ChainState, Painted } from '#lib/page/shown.ts'
import { createPart, type PartState, usePart } from '../../_ui/part.ts'
import { useWallet } from '../../_wallet/wallet.ts'

export const watchPart = createPart(() => import('#lib/page/watch.ts'))

export interface Refresh {
  /** Readings of the chains since the page was loaded. */
  readonly refreshed: Readonly<Record<number, ChainState>>
  readonly healths: Healths | null
  /** Loading state of the code that reads the chains. */
  readonly code: PartState<unknown>['name']
}

/** Reads the chains after the first paint, with code that is loaded after it. */
export function useChains(painted: Painted, address: string | undefined): Refresh {
  const { chains, gateway } = useWallet()
  const { module, name } = usePart(watchPart)
  const [healths, setHealths] = useState<Healths | null>(null)
  const [last, setLast] = useState<{ address: string | undefined; refreshed: Refresh['refreshed'] }>(() => ({
    address,
    refreshed: {},
  }))

  useEffect(watchPart.load, [])
  useEffect(() => {
    if (!module) return
    return module.watch({
      chains,
      gateway,
      address,
      views: address === painted.address ? painted.views : {},
      tellChain: (chainId, state) =>
        setLast((previous) => ({
          address,
          refreshed: { ...(previous.address === address ? previous.refreshed : {}), [chainId]: state },
        })),
      tellHealths: setHealths,
    })
  }, [module, chains, gateway, address, painted])

  return { refreshed: last.address === address ? last.refreshed : {}, healths, code: name }
}
