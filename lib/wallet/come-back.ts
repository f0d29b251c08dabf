import type { Config, Connection, Connector } from 'wagmi'

/** After this a returning visitor is offered a button, never a spinner without end. */
const deadlineMs = 5000

/** `locked`: the wallet is there and shows this site no account. It may be locked, or the site's permission taken back. */
export type CameBack = 'connected' | 'refused' | 'locked' | 'late'

export interface ComeBackOptions {
  /** Resolves when a wallet of this id is known to wagmi, which may be never. */
  readonly announced: Promise<Connector>
  /** Loads the one listed wallet of this id; null where it is not one of the list, which only announces itself. */
  readonly load: () => Promise<Connector | null>
  /** Aborted once the visitor starts anew: what comes back after that is not taken. */
  readonly signal: AbortSignal
}

/**
 * Reconnects the wallet that was used last, and only that one: no other wallet is asked anything. Tells how it came back, or that it
 * is late and then how it came back.
 */
export function comeBack(
  config: Config,
  { announced, load, signal }: ComeBackOptions,
  tell: (came: CameBack) => void,
): void {
  // The attempt outlives the deadline, and by its end the visitor may have left, or have another wallet.
  const began = config.state.current
  const overtaken = () => signal.aborted || config.state.current !== began
  const attempt = async (): Promise<CameBack> => {
    const connector = (await load()) ?? (await announced)
    if (overtaken()) return leave(connector)
    config.setState((state) => ({ ...state, status: state.current ? 'reconnecting' : 'connecting' }))
    const provider = await connector.getProvider().catch(() => undefined)
    const connection = provider ? await connectionOf(connector) : null
    if (overtaken()) return leave(connector)
    if (connection) {
      take(config, connection)
      return 'connected'
    }
    // What a wallet in the browser keeps to itself it may show again; a session by the relay that is gone stays gone.
    if (provider && connector.type === 'injected') return 'locked'
    config.setState((state) => ({ ...state, connections: new Map(), current: null, status: 'disconnected' }))
    return 'refused'
  }
  // A visitor who left meanwhile leaves the wallet too: a session by the relay would stay in it.
  const leave = async (connector: Connector): Promise<CameBack> => {
    const isLeft = !signal.aborted && config.state.current === null
    if (isLeft && connector.type === 'walletConnect') await connector.disconnect()
    return 'refused'
  }
  const late = setTimeout(() => overtaken() || tell('late'), deadlineMs)
  void attempt()
    .catch((): CameBack => 'refused')
    .then((came) => {
      clearTimeout(late)
      if (!signal.aborted) tell(came)
    })
}

/** What the wallet has for us without asking its owner; null when it does not know this site. */
async function connectionOf(connector: Connector): Promise<Connection | null> {
  if (!(await connector.isAuthorized())) return null
  const data = await connector.connect({ isReconnecting: true }).catch(() => null)
  return data && { accounts: data.accounts as Connection['accounts'], chainId: data.chainId, connector }
}

/** Asks a locked wallet to show its accounts, which it may do by a window of its own. Throws what it says when it does not. */
export async function askToUnlock(connector: Connector): Promise<void> {
  const provider = (await connector.getProvider()) as Asked
  await provider.request({ method: 'eth_requestAccounts' })
}

/** Resolves when the wallet shows accounts again. */
export async function whenUnlocked(connector: Connector, signal: AbortSignal): Promise<void> {
  const provider = (await connector.getProvider()) as Listenable
  await new Promise<void>((resolve) => {
    const hear = (accounts: readonly string[]) => {
      if (accounts.length > 0) stop()
    }
    function stop() {
      provider.removeListener?.('accountsChanged', hear)
      resolve()
    }
    provider.on?.('accountsChanged', hear)
    signal.addEventListener('abort', stop, { once: true })
  })
}

interface Asked {
  readonly request: (args: { readonly method: string }) => Promise<unknown>
}

interface Listenable {
  readonly on?: (event: 'accountsChanged', hear: (accounts: readonly string[]) => void) => void
  readonly removeListener?: Listenable['on']
}

/** As wagmi's own `reconnect` does, which cannot be held back once it has begun. */
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
