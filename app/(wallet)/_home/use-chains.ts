'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Card, type Painted, paintedCards } from '#lib/page/shown.ts'
import { useWallet } from '../../_wallet/wallet.ts'

type Told = Readonly<Record<number, Partial<Card>>>

/** The chains' cards: as painted by the server, then as asked again and again by code that loads after the page is there. */
export function useChains(painted: Painted, address: string | undefined): readonly Card[] {
  const { chains, gateway } = useWallet()
  const queries = useQueryClient()
  const [told, setTold] = useState<{ address: string | undefined; cards: Told }>({ address, cards: {} })

  useEffect(() => {
    let stop = () => {}
    let left = false
    const tell = (chainId: number, news: Partial<Card>) =>
      setTold((last) => {
        const cards = last.address === address ? last.cards : {}
        return { address, cards: { ...cards, [chainId]: { ...cards[chainId], ...news } } }
      })
    void import('#lib/page/watch.ts').then(({ watch }) => {
      if (left) return
      stop = watch({
        queries,
        chains,
        gateway,
        address,
        views: address === painted.address ? painted.views : [],
        tellChain: (chainId, head, balance) => tell(chainId, { head, balance }),
        tellHealths: (healths) => {
          for (const { id } of chains) tell(id, { health: healths[id] ?? 'unknown' })
        },
      })
    })
    return () => {
      left = true
      stop()
    }
  }, [queries, chains, gateway, address, painted])

  const news = told.address === address ? told.cards : {}
  return paintedCards(chains, painted, address).map((card) => ({ ...card, ...news[card.chain.id] }))
}
