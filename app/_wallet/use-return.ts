'use client'

import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type Config, type Connector, useConfig } from 'wagmi'
import { addAnnounced, onAnnounced, whenListed } from '#lib/wallet/announced.ts'
import { askToUnlock, type CameBack, comeBack, whenUnlocked } from '#lib/wallet/come-back.ts'
import { forgetCache } from '#lib/wallet/kept.ts'
import { listedId } from '#lib/wallet/listed-id.ts'
import { hasStandIn, standsInFor } from '#lib/wallet/stand-in.ts'
import { forgetVisitor, rememberVisitor } from '#lib/wallet/visitor.ts'
import type { WalletFacts } from './facts.ts'

/** The wallet that the demo brings; under demo and dev no other is offered, for a real one would send real money. */
const demoWallet = 'dev.quorate.demo'

interface Return {
  /** How the last wallet came back; null while that is not known. */
  readonly came: CameBack | null
  /** Asks a locked wallet to show its accounts. Rejects with what the wallet says when it does not. */
  readonly unlock: () => Promise<void>
}

/**
 * Listens for wallets, brings the last one back, and keeps the cookie true to what is connected. Once it is given up, it is
 * not taken any more.
 */
export function useReturn(facts: WalletFacts, givenUp: AbortSignal): Return {
  const config = useConfig()
  const queries = useQueryClient()
  const [came, setCame] = useState<CameBack | null>(null)
  const started = useRef(false)

  useEffect(() => {
    // One tab comes back once, though development runs every effect twice.
    if (started.current) return
    started.current = true
    listen(config, facts)
    keepCookie(config, queries, facts)
    const wanted = inFrame() ? 'safe' : facts.visitor?.connectorId
    if (!wanted) {
      // Whatever the server did not accept as our cookie is of no use to anyone.
      forgetVisitor()
      return
    }
    const load = async () =>
      facts.demo ? null : (await import('#lib/wallet/listed.ts')).loadListed(config, facts, wanted)
    const announced = whenListed(config, wanted)
    comeBack(config, { announced, load, signal: givenUp }, setCame)
  }, [config, queries, facts, givenUp])

  useEffect(() => config.subscribe(hasStandIn, (isLocked) => isLocked && setCame('locked')), [config])
  const again = useCallback(
    (connector: Connector) =>
      comeBack(
        config,
        { announced: Promise.resolve(connector), load: async () => null, signal: givenUp },
        setCame,
      ),
    [config, givenUp],
  )
  useEffect(() => {
    const connector = came === 'locked' ? standsInFor(config) : undefined
    if (connector === undefined) return
    const over = new AbortController()
    void whenUnlocked(connector, over.signal).then(() => over.signal.aborted || again(connector))
    return () => over.abort()
  }, [came, config, again])
  const unlock = useCallback(async () => {
    const connector = standsInFor(config)
    if (connector === undefined) throw new Error('no wallet is locked')
    await askToUnlock(connector)
    again(connector)
  }, [config, again])

  return { came, unlock }
}

/** Makes wallets known as they announce themselves. */
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

function inFrame(): boolean {
  return window.parent !== window
}
