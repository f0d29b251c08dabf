import type { Config, Connection, Connector } from 'wagmi'
import { findListed } from './listed-id.ts'
import type { Visitor } from './visitor.ts'

const uid = 'returning'

/**
 * wagmi's state for a visitor whose wallet is not loaded yet or no longer shows an account: like connected, with a stand-in
 * connector.
 */
export function placeholderState(
  { address, chainId, connectorId }: Visitor,
  { chains }: Config,
): Partial<Config['state']> {
  // Only what wagmi uses until the real connector replaces it: its name, and `disconnect`.
  const connector = {
    id: connectorId,
    name: connectorId,
    type: 'stand-in',
    uid,
    disconnect: async () => {},
    emitter: { on() {}, off() {} },
  } as unknown as Connector
  const connection: Connection = { accounts: [address], chainId, connector }
  return {
    status: 'reconnecting',
    current: uid,
    connections: new Map([[uid, connection]]),
    ...(chains.some(({ id }) => id === chainId) && { chainId }),
  }
}

/** wagmi's state without a wallet. */
export const disconnectedState = (): Partial<Config['state']> => ({
  status: 'disconnected',
  current: null,
  connections: new Map(),
})

/** Whether the current connector is a stand-in. */
export function hasPlaceholder({ current }: Config['state']): boolean {
  return current === uid
}

/** The id of the wallet that the stand-in represents, if there is one. */
export function placeholderId({ connections }: Config['state']): string | undefined {
  return connections.get(uid)?.connector.id
}

/** The listed wallet that the stand-in represents, if wagmi already has it. */
export function standsInFor(config: Config): Connector | undefined {
  const id = placeholderId(config.state)
  return id === undefined ? undefined : findListed(config, id)
}
