'use client'

import { useEffect, useState } from 'react'
import type { Healths } from '#lib/page/healths.ts'
import type { ChainState, Painted } from '#lib/page/shown.ts'
import { createPart, type PartState, usePart } from '../../_ui/part.ts'
import { useWallet } from '../../_wallet/wallet.ts'

export const watchPart = createPart(() => import('#lib/page/watch.ts'))

export interface News {
  /** Of the chains that were asked since the page is there. */
  readonly heard: Readonly<Record<number, ChainState>>
  readonly healths: Healths | null
  /** Of the code that asks. */
  readonly code: PartState<unknown>['name']
}

/** What is heard of the chains after the page is painted, by code that loads after it. */
export function useChains(painted: Painted, address: string | undefined): News {
  const { chains, gateway } = useWallet()
  const { module, name } = usePart(watchPart)
  const [healths, setHealths] = useState<Healths | null>(null)
  const [told, setTold] = useState<{ address: string | undefined; heard: News['heard'] }>(() => ({
    address,
    heard: {},
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
        setTold((last) => ({
          address,
          heard: { ...(last.address === address ? last.heard : {}), [chainId]: state },
        })),
      tellHealths: setHealths,
    })
  }, [module, chains, gateway, address, painted])

  return { heard: told.address === address ? told.heard : {}, healths, code: name }
}
