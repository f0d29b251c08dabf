import type { Config, Connection, Connector } from 'wagmi'

/** How long a wallet that announces itself is waited for before its SDK is loaded instead. */
const announceMs = 300
/** After this a returning visitor is offered a button, never a spinner without end. */
const deadlineMs = 5000

export type CameBack = 'connected' | 'refused' | 'late'

export interface ComeBackOptions {
  /** Resolves when a wallet of this id is known to wagmi, which may be never. */
  readonly announced: Promise<Connector>
  /** Loads the one listed wallet of this id; null when there is none. */
  readonly load: () => Promise<Connector | null>
  /** Aborted once the visitor starts anew: what comes back after that is not taken. */
  readonly signal: AbortSignal
}

/** Reconnects the wallet that was used last, and only that one: no other wallet is asked anything. */
export async function comeBack(
  config: Config,
  { announced, load, signal }: ComeBackOptions,
): Promise<CameBack> {
  // The attempt outlives the deadline, and by its end the visitor may have another wallet.
  const overtaken = () => signal.aborted || config.state.status === 'connected'
  const attempt = async (): Promise<CameBack> => {
    const connector =
      (await Promise.race([announced, after(announceMs)])) ?? (await load()) ?? (await announced)
    if (overtaken()) return 'refused'
    config.setState((state) => ({ ...state, status: state.current ? 'reconnecting' : 'connecting' }))
    const connection = await connectionOf(connector)
    if (overtaken()) return 'refused'
    if (connection) take(config, connection)
    else
      config.setState((state) => ({
        ...state,
        connections: new Map(),
        current: null,
        status: 'disconnected',
      }))
    return connection ? 'connected' : 'refused'
  }
  return Promise.race([attempt().catch((): CameBack => 'refused'), after(deadlineMs, 'late' as const)])
}

/** What the wallet has for us without asking its owner; null when it does not know this site. */
async function connectionOf(connector: Connector): Promise<Connection | null> {
  const provider = await connector.getProvider().catch(() => undefined)
  if (!provider || !(await connector.isAuthorized())) return null
  const data = await connector.connect({ isReconnecting: true }).catch(() => null)
  return data && { accounts: data.accounts as Connection['accounts'], chainId: data.chainId, connector }
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

function after(ms: number): Promise<null>
function after<Value>(ms: number, value: Value): Promise<Value>
function after(ms: number, value: unknown = null): Promise<unknown> {
  return new Promise((resolve) => setTimeout(() => resolve(value), ms))
}
