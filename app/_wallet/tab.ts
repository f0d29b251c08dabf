import type { QueryClient } from '@tanstack/react-query'
import type { Config, Connection, Connector } from 'wagmi'
import { addAnnounced, whenListed } from '#lib/wallet/announced.ts'
import { createWalletConfig } from '#lib/wallet/config.ts'
import { listedId } from '#lib/wallet/listed-id.ts'
import { connectionOf, placeholderId, setDisconnected } from '#lib/wallet/placeholder.ts'
import { createQueries, forgetCache, unforget } from '#lib/wallet/query-cache.ts'
import { createReconnect, type Reconnect } from '#lib/wallet/reconnect.ts'
import { forgetVisitor, hasVisitor, ownNameKey, rememberVisitor, type Visitor } from '#lib/wallet/visitor.ts'
import { knowAddress } from '#lib/wallet/wallet-values.ts'
import { wallets } from '#site'
import { isFramed } from '../_ui/is-framed.ts'
import { whenLoaded } from '../_ui/lazy-code.ts'
import { listedCode } from './listed-code.ts'
import type { WalletFacts } from './wallet-types.ts'

/** How the ids of the demo wallets begin. In demo and dev no other is offered, because a real wallet would send real money. */
const demoWallet = 'dev.quorate.demo'

/** Loaded once there is a connection that another tab may end. */
function withOtherTabs(use: (code: typeof import('#lib/wallet/other-tabs.ts')) => void): void {
  import('#lib/wallet/other-tabs.ts').then(use, () => {})
}

/** What lives as long as the tab: on the server, as long as the request. */
export interface Tab {
  readonly config: Config
  readonly queries: QueryClient
  readonly reconnect: Reconnect
}

export function createTab(facts: WalletFacts): Tab {
  const config = createWalletConfig(facts)
  const queries = createQueries()
  const reconnect = createReconnect(config, () => lastWallet(config, queries, facts))
  return { config, queries, reconnect }
}

/** Listens for wallets, reconnects the last one, and keeps the cookie in sync. Once for each tab, in browsers. */
export function startTab({ config, queries, reconnect }: Tab, facts: WalletFacts): void {
  if (facts.isVisitorRefused) forgetVisitor()
  if (facts.visitor) knowAddress(facts.visitor.address)
  addAnnounced(config, (rdns) => !facts.demo || rdns.startsWith(demoWallet))
  const { address, chainId, name = '', nameReadMs: updatedAt } = facts.visitor ?? {}
  if (updatedAt) queries.setQueryData(ownNameKey(address, chainId), name, { updatedAt })
  if (lastWalletId(config)) void reconnect.start()
  keepCookie(config, queries, facts)
  keepFigures(queries)
}

/** Persists the figures of chains. Its code is loaded with the first of them. */
function keepFigures(queries: QueryClient): void {
  const cache = queries.getQueryCache()
  const look = () => {
    if (cache.findAll({ queryKey: ['chain'] }).length === 0) return
    stop()
    import('#lib/wallet/persist-cache.ts').then(
      ({ persistFigures }) => persistFigures(queries),
      () => {},
    )
  }
  const stop = cache.subscribe(look)
  look()
}

/** In a frame the host may be Safe, which provides its account. */
function lastWalletId(config: Config): string | undefined {
  return isFramed() ? 'safe' : placeholderId(config.state)
}

/** The last wallet: a listed one, whose code is loaded at once, or an announced one. */
async function lastWallet(config: Config, queries: QueryClient, facts: WalletFacts): Promise<Connector> {
  const id = lastWalletId(config) ?? ''
  const isListed = !facts.demo && wallets.some((listed) => listed === id)
  const code = isListed ? await whenLoaded(queries, listedCode) : null
  return code?.loadListed(config, facts, id) ?? whenListed(config, id)
}

/** The name of an account as this tab has read it, or the page before. */
function nameOf(
  queries: QueryClient,
  { address, chainId }: Pick<Visitor, 'address' | 'chainId'>,
  before: Visitor | null,
): Partial<Visitor> {
  const { data, dataUpdatedAt } = queries.getQueryState<string>(ownNameKey(address, chainId)) ?? {}
  if (data !== undefined) return { name: data, nameReadMs: dataUpdatedAt }
  return address === before?.address ? { name: before.name } : {}
}

/**
 * Keeps the cookie in sync with the connection. It belongs to all tabs: once another one has deleted it, only the visitor connects
 * here again, and a tab that hears of that late leaves the cookie of a newer connection.
 */
function keepCookie(config: Config, queries: QueryClient, { visitor }: WalletFacts): void {
  let ownsCookie = visitor !== null
  let isWatching = false
  const isEndedElsewhere = () => ownsCookie && !hasVisitor()
  const endHere = () => {
    ownsCookie = false
    setDisconnected(config)
  }
  const watch = () => {
    if (isWatching) return
    isWatching = true
    withOtherTabs(({ watchTabs }) =>
      watchTabs((ended) => {
        if (config.state.current !== null && (ended === 'disconnected' || isEndedElsewhere())) endHere()
      }),
    )
  }
  const remember = ({ accounts, chainId, connector }: Connection, before: string) => {
    if (before !== 'connecting' && isEndedElsewhere()) return endHere()
    const [address] = accounts
    unforget(address)
    rememberVisitor({
      address,
      chainId,
      connectorId: listedId(connector),
      ...nameOf(queries, { address, chainId }, visitor),
    })
    ownsCookie = hasVisitor()
    watch()
  }
  if (ownsCookie) watch()
  config.subscribe(
    ({ status }) => ({ status, connection: connectionOf(config) }),
    ({ status, connection }, before) => {
      if (status === 'connected' && connection) {
        if (before.status !== 'reconnecting') remember(connection, before.status)
        // Each look at a cookie takes milliseconds: after the frame that shows the connection.
        else setTimeout(() => connection === connectionOf(config) && remember(connection, before.status))
      }
      // Without a connection before, it was only declined.
      if (status === 'disconnected' && before.connection) {
        forgetCache(queries, before.connection.accounts)
        if (!ownsCookie) return
        ownsCookie = false
        forgetVisitor()
        withOtherTabs(({ tellTabs }) => tellTabs('disconnected'))
      }
    },
    { equalityFn: (now, before) => now.status === before.status && now.connection === before.connection },
  )
}
