import { type Config, type Connector, type CreateConnectorFn, createConnector, injected } from 'wagmi'
import { announcedId, findListed, listedId } from './listed-id.ts'
import { standInState } from './stand-in.ts'

/** What a wallet says of itself under EIP-6963. */
export interface Announcement {
  readonly info: {
    readonly uuid: string
    readonly name: string
    readonly icon: string
    readonly rdns: string
  }
  readonly provider: { request(args: { method: string; params?: unknown }): Promise<unknown> }
}

/** Calls back for each wallet that announces itself, now or later; returns the way to stop. Each rdns is told once. */
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

/** Waits until a wallet is listed under this id, which may be for ever. */
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

/** Makes the wallet known to wagmi and returns its connector. */
export function addAnnounced(config: Config, { info, provider }: Announcement): Connector {
  const target = { id: announcedId(info.rdns), name: info.name, icon: info.icon as `data:image/${string}` }
  return addConnector(config, injected({ target: { ...target, provider: provider as never } }))
}

/** Sets a connector up so that nothing but the visitor connects it: wallets' own events cannot. */
export function addConnector(config: Config, create: CreateConnectorFn): Connector {
  const connector = config._internal.connectors.setup(politely(create, config))
  config._internal.connectors.setState((connectors) => [...connectors, connector])
  keepApart(config, connector)
  return connector
}

/** A wallet that shows no account any more may be locked: its account stays, with a stand-in for the wallet. */
function lock(config: Config, connector: Connector): void {
  const { connections, current } = config.state
  const connection = current === null ? undefined : connections.get(current)
  if (connection?.connector.uid !== connector.uid) return
  const { accounts, chainId } = connection
  const visitor = { address: accounts[0], chainId, connectorId: listedId(connection.connector) }
  config.setState((state) => ({ ...state, ...standInState(visitor, config) }))
}

/** A fresh connection asks for our chain; a visitor who declines that switch is connected all the same. */
function politely(create: CreateConnectorFn, wagmi: Config): CreateConnectorFn {
  return createConnector((options) => {
    const connector = create(options)
    return {
      ...connector,
      setup: async () => {},
      async getProvider(wish) {
        const provider = await connector.getProvider.call(this, wish)
        return connector.type === 'injected' && provider ? gentle(provider as never) : provider
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

// RainbowKit forgets an error that comes before it has turned to the wallet's page, and then spins for ever.
const errorAfterMs = 400

/** The same outcome, but no error in the first moments. */
async function delayErrors<Value>(outcome: Promise<Value>): Promise<Value> {
  const later = new Promise((resolve) => setTimeout(resolve, errorAfterMs))
  try {
    return await outcome
  } catch (error) {
    await later
    throw error
  }
}

// wagmi lets a wallet's `connect` event connect it. After a disconnect, or before the visitor has chosen, nobody has asked for that.
function keepApart(config: Config, connector: Connector): void {
  const stopListening = () => connector.emitter.off('connect', config._internal.events.connect)
  stopListening()
  config.subscribe((state) => state.connections, stopListening)
}

/** A wallet of the browser, but for one request: wagmi revokes its permission on disconnect, which would drop our other tabs too. */
function gentle(provider: Announcement['provider']): Announcement['provider'] {
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
