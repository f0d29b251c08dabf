import { type Config, type Connector, type CreateConnectorFn, createConnector, injected } from 'wagmi'
import { announcedId, findListed, listedId } from './listed-id.ts'
import { standInState } from './stand-in.ts'

/** An EIP-6963 announcement. */
export interface Announcement {
  readonly info: {
    readonly uuid: string
    readonly name: string
    readonly icon: string
    readonly rdns: string
  }
  readonly provider: { request(args: { method: string; params?: unknown }): Promise<unknown> }
}

/** Calls back once per rdns for every wallet that announces itself. Returns a function that stops it. */
export function onAnnounced(tell: (announcement: Announcement) => void): () => void {
  const told = new Set<string>()
  const hear = (event: Event) => {
    const announcement: unknown = (event as CustomEvent).detail
    if (!isAnnouncement(announcement) || told.has(announcement.info.rdns)) return
    told.add(announcement.info.rdns)
    tell(announcement)
  }
  window.addEventListener('eip6963:announceProvider', hear)
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  return () => window.removeEventListener('eip6963:announceProvider', hear)
}

/** Resolves when a wallet is listed under this id, which may be never. */
export function whenListed(config: Config, id: string): Promise<Connector> {
  return new Promise((resolve) => {
    const look = () => {
      const connector = findListed(config, id)
      if (connector) resolve(connector)
    }
    config._internal.connectors.subscribe(look)
    look()
  })
}

/** Adds the wallet to wagmi and returns its connector. */
export function addAnnounced(config: Config, { info, provider }: Announcement): Connector {
  const target = { id: announcedId(info.rdns), name: info.name, icon: info.icon as `data:image/${string}` }
  return addConnector(config, injected({ target: { ...target, provider: provider as never } }))
}

/** Adds a connector that only the visitor can connect, not the wallet's own events. */
export function addConnector(config: Config, create: CreateConnectorFn): Connector {
  const connector = config._internal.connectors.setup(withOptionalSwitch(create, config))
  config._internal.connectors.setState((connectors) => [...connectors, connector])
  ignoreConnectEvents(config, connector)
  return connector
}

/** A wallet that no longer shows an account may be locked. The account stays, with a stand-in connector. */
function lock(config: Config, connector: Connector): void {
  const { connections, current } = config.state
  const connection = current === null ? undefined : connections.get(current)
  if (connection?.connector.uid !== connector.uid) return
  const { accounts, chainId } = connection
  const visitor = { address: accounts[0], chainId, connectorId: listedId(connection.connector) }
  config.setState((state) => ({ ...state, ...standInState(visitor, config) }))
}

/** A new connection asks the wallet to switch to our chain. If the visitor declines, it is connected anyway. */
function withOptionalSwitch(create: CreateConnectorFn, wagmi: Config): CreateConnectorFn {
  return createConnector((options) => {
    const connector = create(options)
    return {
      ...connector,
      setup: async () => {},
      async getProvider(wish) {
        const provider = await connector.getProvider.call(this, wish)
        return connector.type === 'injected' && provider ? withoutRevoke(provider as never) : provider
      },
      async connect(wish = {}) {
        const { chainId, ...rest } = wish
        const connected = await delayErrors(connector.connect.call(this, rest))
        if (!chainId || rest.isReconnecting || connected.chainId === chainId) return connected as never
        const chain = await this.switchChain?.({ chainId }).catch(() => null)
        return { ...connected, chainId: chain?.id ?? (await this.getChainId()) } as never
      },
      onAccountsChanged(accounts) {
        if (accounts.length === 0 && this.type === 'injected')
          return lock(wagmi, this as unknown as Connector)
        return connector.onAccountsChanged.call(this, accounts)
      },
    }
  }) as CreateConnectorFn
}

// RainbowKit loses an error that comes before it has opened the wallet's page, and then shows a spinner for ever.
const errorAfterMs = 400

/** The same outcome, but an error is delayed. */
async function delayErrors<Value>(outcome: Promise<Value>): Promise<Value> {
  const later = new Promise((resolve) => setTimeout(resolve, errorAfterMs))
  try {
    return await outcome
  } catch (error) {
    await later
    throw error
  }
}

// wagmi connects a wallet on its `connect` event, even after a disconnect or before the visitor has chosen it.
function ignoreConnectEvents(config: Config, connector: Connector): void {
  const stopListening = () => connector.emitter.off('connect', config._internal.events.connect)
  stopListening()
  config.subscribe((state) => state.connections, stopListening)
}

/** Blocks one request: wagmi revokes the wallet's permission on disconnect, which would also disconnect our other tabs. */
function withoutRevoke(provider: Announcement['provider']): Announcement['provider'] {
  return new Proxy(provider, {
    get(wallet, key) {
      if (key === 'request') {
        return (args: { method: string }) =>
          args.method === 'wallet_revokePermissions'
            ? Promise.reject(new Error('kept'))
            : wallet.request(args)
      }
      const value: unknown = Reflect.get(wallet, key)
      return typeof value === 'function' ? value.bind(wallet) : value
    },
  })
}

function isAnnouncement(value: unknown): value is Announcement {
  if (typeof value !== 'object' || value === null) return false
  const { info, provider } = value as Partial<Announcement>
  return (
    typeof info?.rdns === 'string' &&
    typeof info.name === 'string' &&
    typeof info.icon === 'string' &&
    info.icon.startsWith('data:image/') &&
    typeof provider?.request === 'function'
  )
}
