'use client'

import type { QueryClient } from '@tanstack/react-query'
import type { Config } from 'wagmi'
import { addAnnounced, onAnnounced, whenListed } from '#lib/wallet/announced.ts'
import { createWalletConfig } from '#lib/wallet/config.ts'
import { listedId } from '#lib/wallet/listed-id.ts'
import { placeholderId } from '#lib/wallet/placeholder.ts'
import { createQueries, forgetCache } from '#lib/wallet/query-cache.ts'
import { createReconnect, type Reconnect } from '#lib/wallet/reconnect.ts'
import { forgetVisitor, rememberVisitor } from '#lib/wallet/visitor.ts'
import { wallets } from '#site'
import { isFramed } from '../_ui/is-framed.ts'
import { whenLoaded } from '../_ui/lazy-code.ts'
import { listedCode } from './listed-code.ts'
import type { WalletFacts } from './wallet-types.ts'

/** The demo wallet. In demo and dev no other is offered, because a real wallet would send real money. */
const demoWallet = 'dev.quorate.demo'

/** What lives as long as the tab: on the server, as long as the request. */
export interface Tab {
  readonly config: Config
  readonly queries: QueryClient
  readonly reconnect: Reconnect
}

export function createTab(facts: WalletFacts): Tab {
  const config = createWalletConfig(facts)
  const queries = createQueries()
  const reconnect = createReconnect(config, () => lastWallet({ config, queries }, facts))
  return { config, queries, reconnect }
}

/** Listens for wallets, reconnects the last one, and keeps the cookie in sync. Once for each tab, in browsers. */
export function startTab({ config, queries, reconnect }: Tab, facts: WalletFacts): void {
  // The server did not accept the cookie.
  if (!facts.visitor) forgetVisitor()
  onAnnounced((announcement) => {
    if (!facts.demo || announcement.info.rdns === demoWallet) addAnnounced(config, announcement)
  })
  writeCookie(config, queries, facts)
  if (lastWalletId(config)) void reconnect.start()
}

/** In a frame the host may be Safe, which provides its account. */
function lastWalletId(config: Config): string | undefined {
  return isFramed() ? 'safe' : placeholderId(config.state)
}

/** The last wallet: a listed one, whose code is loaded at once, or an announced one. */
function lastWallet({ config, queries }: Omit<Tab, 'reconnect'>, facts: WalletFacts) {
  const id = lastWalletId(config) ?? ''
  const isListed = !facts.demo && wallets.some((listed) => listed === id)
  const load = async () =>
    isListed ? (await whenLoaded(queries, listedCode)).loadListed(config, facts, id) : null
  return { announced: whenListed(config, id), load }
}

function writeCookie(config: Config, queries: QueryClient, { visitor }: WalletFacts): void {
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
