import type { EIP1193Provider } from 'viem'
import type { Config, Connection, Connector } from 'wagmi'
import { setDisconnected } from './placeholder.ts'
import { toAccounts } from './wallet-values.ts'

/** After this time a returning visitor gets a button instead of the spinner. */
export const restoreMsMax = 5000

/** `locked`: the wallet is available but shows this site no account. It is locked, or the permission was revoked. */
export type RestoreOutcome = 'connected' | 'refused' | 'locked' | 'late'

interface RestoreOptions {
  /** Resolves when wagmi has the wallet, which may be never. */
  readonly wallet: Promise<Connector>
  /** Aborted when the visitor starts a new connection. A later result is ignored. */
  readonly signal: AbortSignal
}

/**
 * Reconnects the last used wallet; no other wallet is asked anything. Reports the outcome, preceded by `late` if it takes too
 * long.
 */
export function restoreConnection(
  config: Config,
  { wallet, signal }: RestoreOptions,
  tell: (outcome: RestoreOutcome) => void,
): void {
  // The attempt outlives the deadline. By its end the visitor may have disconnected or connected another wallet.
  const began = config.state.current
  const overtaken = () => signal.aborted || config.state.current !== began
  const attempt = async (): Promise<RestoreOutcome> => {
    const connector = await wallet
    if (overtaken()) return leave(connector)
    config.setState((state) => ({ ...state, status: state.current ? 'reconnecting' : 'connecting' }))
    const provider = await connector.getProvider().catch(() => undefined)
    const connection = provider ? await connectionOf(connector) : null
    if (overtaken()) return leave(connector)
    if (connection) {
      take(config, connection)
      return 'connected'
    }
    // A browser wallet may show its accounts again later; a WalletConnect session that has ended will not come back.
    if (provider && connector.type === 'injected') return 'locked'
    setDisconnected(config)
    return 'refused'
  }
  // If the visitor has disconnected in the meantime, the WalletConnect session must end in the wallet too.
  const leave = async (connector: Connector): Promise<RestoreOutcome> => {
    const isLeft = !signal.aborted && config.state.current === null
    if (isLeft && connector.type === 'walletConnect') await connector.disconnect()
    return 'refused'
  }
  const late = setTimeout(() => overtaken() || tell('late'), restoreMsMax)
  void attempt()
    .catch((): RestoreOutcome => 'refused')
    .then((outcome) => {
      clearTimeout(late)
      if (!signal.aborted) tell(outcome)
    })
}

/** Connects without a prompt; null when the wallet does not know this site. */
async function connectionOf(connector: Connector): Promise<Connection | null> {
  // A wallet in the page would only be asked for its accounts twice, and may take seconds each time.
  if (connector.type !== 'injected' && !(await connector.isAuthorized())) return null
  const data = await connector.connect({ isReconnecting: true }).catch(() => null)
  return data && { accounts: data.accounts as Connection['accounts'], chainId: data.chainId, connector }
}

/** Asks a locked wallet for its accounts; it may open a window of its own. Throws the wallet's error. */
export async function requestUnlock(connector: Connector): Promise<void> {
  const provider = await providerOf(connector)
  if (!provider?.request) throw new Error('provider not found')
  await provider.request({ method: 'eth_requestAccounts' })
}

/** Resolves when the wallet shows accounts again. */
export async function whenUnlocked(connector: Connector, signal: AbortSignal): Promise<void> {
  const provider = await providerOf(connector)
  await new Promise<void>((resolve) => {
    const hear = async (accounts: unknown) => {
      if ((await toAccounts(accounts).catch(() => []))?.length) stop()
    }
    function stop() {
      provider?.removeListener?.('accountsChanged', hear)
      resolve()
    }
    provider?.on?.('accountsChanged', hear)
    signal.addEventListener('abort', stop, { once: true })
  })
}

/** Not every wallet has events. */
async function providerOf(connector: Connector): Promise<Partial<EIP1193Provider> | undefined> {
  return (await connector.getProvider()) as Partial<EIP1193Provider> | undefined
}

/** Does what wagmi's `reconnect` does, which cannot be cancelled. */
function take(config: Config, connection: Connection): void {
  const { emitter, uid } = connection.connector
  const { connect, change, disconnect } = config._internal.events
  emitter.off('connect', connect)
  emitter.on('change', change)
  emitter.on('disconnect', disconnect)
  config.setState((state) => ({
    ...state,
    connections: new Map([[uid, connection]]),
    current: uid,
    status: 'connected',
  }))
}
