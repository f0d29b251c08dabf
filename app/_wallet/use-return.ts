'use client'

import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type Config, type Connector, useConfig } from 'wagmi'
import { addAnnounced, onAnnounced, whenListed } from '#lib/wallet/announced.ts'
import {
  askToUnlock,
  type CameBack,
  type ComeBackOptions,
  comeBack,
  whenUnlocked,
} from '#lib/wallet/come-back.ts'
import { forgetCache } from '#lib/wallet/kept.ts'
import { listedId } from '#lib/wallet/listed-id.ts'
import { hasStandIn, standInId, standsInFor } from '#lib/wallet/stand-in.ts'
import { forgetVisitor, listedWallets, rememberVisitor } from '#lib/wallet/visitor.ts'
import { isFramed } from '../_ui/is-framed.ts'
import { whenLoaded } from '../_ui/when-loaded.ts'
import type { WalletFacts } from './facts.ts'
import { listedPart } from './listed-part.ts'

/** The demo wallet. In demo and dev no other is offered, because a real wallet would send real money. */
const demoWallet = 'dev.quorate.demo'

interface Return {
  /** The result of the reconnection; null while unknown. */
  readonly came: CameBack | null
  /** Asks a locked wallet for its accounts. Rejects with the error of the wallet. */
  readonly unlock: () => Promise<void>
  /** Tries to reconnect the last wallet again; resolves with the result by the deadline. */
  readonly retry: () => Promise<CameBack>
  /** Gives up the last wallet: a late reconnection is ignored. */
  readonly giveUp: () => void
}

/** Listens for wallets, reconnects the last one, and keeps the cookie in sync with the connection. */
export function useReturn(facts: WalletFacts): Return {
  const config = useConfig()
  const queries = useQueryClient()
  const [came, setCame] = useState<CameBack | null>(null)
  const started = useRef(false)
  const attempt = useRef<AbortController>(undefined)
  const wanted = useCallback(() => (isFramed() ? 'safe' : standInId(config.state)), [config])

  const giveUp = useCallback(() => attempt.current?.abort(), [])
  const begin = useCallback(
    (wallet: Pick<ComeBackOptions, 'announced' | 'load'>) => {
      giveUp()
      attempt.current = new AbortController()
      const { signal } = attempt.current
      return new Promise<CameBack>((resolve) => {
        comeBack(config, { ...wallet, signal }, (how) => {
          setCame(how)
          resolve(how)
        })
      })
    },
    [config, giveUp],
  )
  const retry = useCallback(() => {
    setCame(null)
    return begin(lastWallet(config, facts, wanted() ?? ''))
  }, [begin, config, facts, wanted])

  useEffect(() => {
    // Reconnects once per tab, although development runs every effect twice.
    if (started.current) return
    started.current = true
    listen(config, facts)
    keepCookie(config, queries, facts)
    if (wanted()) void retry()
  }, [config, queries, facts, wanted, retry])

  useEffect(() => config.subscribe(hasStandIn, (isLocked) => isLocked && setCame('locked')), [config])
  const again = useCallback(
    (connector: Connector) => begin({ announced: Promise.resolve(connector), load: async () => null }),
    [begin],
  )
  useEffect(() => {
    const connector = came === 'locked' ? standsInFor(config) : undefined
    if (connector === undefined) return
    const over = new AbortController()
    void whenUnlocked(connector, over.signal).then(() => {
      if (!over.signal.aborted) void again(connector)
    })
    return () => over.abort()
  }, [came, config, again])
  const unlock = useCallback(async () => {
    const connector = standsInFor(config)
    if (connector === undefined) throw new Error('no wallet is locked')
    await askToUnlock(connector)
    void again(connector)
  }, [config, again])

  return { came, unlock, retry, giveUp }
}

/** The wallet with this id: a listed one, whose code is loaded at once, or an announced one. */
function lastWallet(config: Config, facts: WalletFacts, id: string) {
  const isListed = !facts.demo && listedWallets.some((listed) => listed === id)
  const load = async () => (isListed ? (await whenLoaded(listedPart)).loadListed(config, facts, id) : null)
  return { announced: whenListed(config, id), load }
}

/** Registers wallets as they announce themselves. */
function listen(config: Config, { demo }: WalletFacts): void {
  onAnnounced((announcement) => {
    if (!demo || announcement.info.rdns === demoWallet) addAnnounced(config, announcement)
  })
}

function keepCookie(config: Config, queries: QueryClient, { visitor }: WalletFacts): void {
  config.subscribe(
    ({ status, current, connections }) => ({
      status,
      connection: current ? connections.get(current) : undefined,
    }),
    ({ status, connection }) => {
      const address = connection?.accounts[0]
      if (status === 'connected' && connection && address) {
        const { chainId, connector } = connection
        const name = address === visitor?.address ? visitor.name : undefined
        rememberVisitor({ address, chainId, connectorId: listedId(connector), name })
      }
      if (status === 'disconnected') {
        forgetVisitor()
        forgetCache(queries)
      }
    },
    { equalityFn: (now, before) => now.status === before.status && now.connection === before.connection },
  )
}
