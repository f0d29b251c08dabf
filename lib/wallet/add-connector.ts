import { type Config, type Connector, type CreateConnectorFn, createConnector } from 'wagmi'
import { site } from '#site'
import { WalletError } from './injected.ts'
import { listedId } from './listed-id.ts'
import { connectionOf, setPlaceholder } from './placeholder.ts'
import { whenUnlocked } from './restore-connection.ts'
import { toAccounts, toChainId } from './wallet-values.ts'

/** Adds a connector that only the visitor can connect, not the wallet's own events. */
export function addConnector(config: Config, create: CreateConnectorFn): Connector {
  const connector = config._internal.connectors.setup(forRainbowKit(create, config))
  config._internal.connectors.setState((connectors) => [...connectors, connector])
  ignoreConnectEvents(config, connector)
  return connector
}

/** A wallet that no longer shows an account may be locked. The account stays, with a placeholder connector. */
function lock(config: Config, connector: Connector): void {
  const connection = connectionOf(config)
  if (connection?.connector.uid !== connector.uid) return
  const { accounts, chainId } = connection
  setPlaceholder(config, { address: accounts[0], chainId, connectorId: listedId(connection.connector) })
}

/**
 * The connector as RainbowKit uses it: connected as soon as the wallet names an account, on whichever chain it is. A switch that
 * the wallet does not answer ends. What a wallet says is passed on only if it is an account or a chain. Its events never throw.
 */
function forRainbowKit(create: CreateConnectorFn, wagmi: Config): CreateConnectorFn {
  return createConnector((options) => {
    const connector = create(options)
    const isInjected = connector.type === 'injected'
    let connecting = 0
    return {
      ...connector,
      setup: async () => {},
      async connect({ chainId: _, ...wish } = {}) {
        const isCurrent = beginAttempt()
        connecting += 1
        try {
          const start = (how: Wish = wish) => withAccounts(connector.connect.call(this, how))
          const isPrompted = isInjected && !wish.isReconnecting
          const connected = await delayErrors(isPrompted ? firstSign(this as Connector, start) : start())
          if (isCurrent()) return connected as never
        } finally {
          connecting -= 1
        }
        // The session of a wallet that is not used would stay open there.
        if (connector.type === 'walletConnect') await connector.disconnect.call(this)
        throw new Error('aborted by the user, who connected another wallet meanwhile')
      },
      async getChainId() {
        // RainbowKit asks before it connects, for the switch that is left out here.
        const isUsed = connecting > 0 || wagmi.state.connections.has(options.emitter.uid)
        if (!isUsed) return site.initialChainId
        const chainId = toChainId(await connector.getChainId.call(this))
        if (chainId === undefined) throw new Error('no network from the wallet')
        return chainId
      },
      ...(connector.switchChain && {
        async switchChain(wish) {
          const start = connector.switchChain?.bind(this)
          // Loaded only when a switch needs it. Without it, a switch may never end.
          const code = await import('./switch-within.ts').catch(() => null)
          return code
            ? code.switchWithin(this as Connector, wish, { ...options, start })
            : (start?.(wish) as never)
        },
      }),
      async onAccountsChanged(given) {
        const accounts = await toAccounts(given)
        if (accounts?.length === 0 && isInjected) return lock(wagmi, this as unknown as Connector)
        if (accounts) await settle(() => connector.onAccountsChanged.call(this, [...accounts]))
      },
      async onChainChanged(given) {
        const chainId = toChainId(given)
        if (chainId !== undefined) await settle(() => connector.onChainChanged.call(this, String(chainId)))
      },
      async onConnect(info) {
        // wagmi would ask a wallet in the page for its accounts, for an event that is ignored.
        if (!isInjected) await settle(() => connector.onConnect?.call(this, info))
      },
      async onDisconnect(error) {
        await settle(() => connector.onDisconnect.call(this, error && new WalletError('disconnect', error)))
      },
    }
  }) as CreateConnectorFn
}

type Wish = { readonly isReconnecting?: boolean | undefined }

/** A wallet that tells its account by an event, and does not answer within this time, may never do so. */
const answeredWithinMs = 1000

/** Connects by whichever the wallet gives first: an answer, or the event of an account. */
async function firstSign<Connected>(connector: Connector, start: (how?: Wish) => Promise<Connected>) {
  const isOver = new AbortController()
  const byEvent = async (): Promise<Connected> => {
    await whenUnlocked(connector, isOver.signal)
    await new Promise((resolve) => setTimeout(resolve, answeredWithinMs))
    const connected = isOver.signal.aborted ? null : await start({ isReconnecting: true }).catch(() => null)
    return connected ?? new Promise(() => {})
  }
  try {
    return await Promise.race([start(), byEvent()])
  } finally {
    isOver.abort()
  }
}

async function withAccounts(connecting: ReturnType<Connector['connect']>) {
  const connected = await connecting
  const accounts = await toAccounts(connected.accounts)
  if (!accounts?.length) throw new Error('no account from the wallet')
  return { ...connected, accounts }
}

/** The number of this tab's last attempt to connect, and of the last one that succeeded. */
let begun = 0
let succeeded = 0

/** Whether an attempt that succeeds may still be used: not once a later one has. wagmi would take the last answer. */
function beginAttempt(): () => boolean {
  begun += 1
  const own = begun
  return () => {
    if (own < succeeded) return false
    succeeded = own
    return true
  }
}

/** Calls a handler of a wallet's event. It may ask the wallet something, and a wallet does not expect an error back. */
async function settle(handle: () => unknown): Promise<void> {
  try {
    await handle()
  } catch {
    // The event is lost. What the wallet says next is taken.
  }
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
