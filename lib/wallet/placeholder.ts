import type { Config, Connection, Connector } from 'wagmi'
import type { Visitor } from './visitor.ts'

const uid = 'returning'

/** Shows a visitor whose wallet is not loaded yet, or no longer shows an account, as connected: with a placeholder connector. */
export function setPlaceholder(config: Config, { address, chainId, connectorId }: Visitor): void {
  // Only what wagmi uses until the real connector replaces it: its name, and `disconnect`.
  const connector = {
    id: connectorId,
    name: connectorId,
    type: 'placeholder',
    uid,
    disconnect: async () => {},
    emitter: { on() {}, off() {} },
  } as unknown as Connector
  const connection: Connection = { accounts: [address], chainId, connector }
  config.setState((state) => ({
    ...state,
    status: 'reconnecting',
    current: uid,
    connections: new Map([[uid, connection]]),
    ...(config.chains.some(({ id }) => id === chainId) && { chainId }),
  }))
}

export function setDisconnected(config: Config): void {
  config.setState((state) => ({ ...state, status: 'disconnected', current: null, connections: new Map() }))
}

/** The current connection. */
export function connectionOf({ state: { connections, current } }: Config): Connection | undefined {
  return current === null ? undefined : connections.get(current)
}

/** The id of the wallet that the placeholder represents, if there is one. */
export function placeholderId({ connections, current }: Config['state']): string | undefined {
  return current === uid ? connections.get(uid)?.connector.id : undefined
}
