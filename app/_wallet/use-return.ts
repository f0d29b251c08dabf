'use client'

import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type Config, useConfig } from 'wagmi'
import { addAnnounced, listedId, onAnnounced, whenListed } from '#lib/wallet/announced.ts'
import { comeBack } from '#lib/wallet/come-back.ts'
import { forgetCache } from '#lib/wallet/kept.ts'
import { forgetVisitor, rememberVisitor } from '#lib/wallet/visitor.ts'
import type { WalletFacts } from './facts.ts'

/** The wallet that the demo brings; under demo and dev no other is offered, for a real one would send real money. */
const demoWallet = 'dev.quorate.demo'

/**
 * Listens for wallets, brings the last one back, and keeps the cookie true to what is connected. True once a returning
 * visitor's wallet is late; once it is given up, it is not taken any more.
 */
export function useReturn(facts: WalletFacts, givenUp: AbortSignal): boolean {
  const config = useConfig()
  const queries = useQueryClient()
  const [late, setLate] = useState(false)
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
    void comeBack(config, { announced, load, signal: givenUp }).then((came) => setLate(came !== 'connected'))
  }, [config, queries, facts, givenUp])

  return late
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
