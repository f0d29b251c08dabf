import type { Config, Connection, Connector } from 'wagmi'
import { findListed } from './listed-id.ts'
import type { Visitor } from './visitor.ts'

const uid = 'returning'

/**
 * The state in which a visitor is shown whose wallet is not there yet, or shows no account any more: like connected, with a
 * stand-in for the wallet.
 */
export function standInState(
  { address, chainId, connectorId }: Visitor,
  { chains }: Config,
): Partial<Config['state']> {
  // wagmi wants a whole connector; until the real one is there it is only asked for its name, and told that the visitor leaves.
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

/** Whether the visitor is shown with a stand-in. */
export function hasStandIn({ current }: Config['state']): boolean {
  return current === uid
}

/** The id of the wallet that a stand-in stands for, if there is one. */
export function standInId({ connections }: Config['state']): string | undefined {
  return connections.get(uid)?.connector.id
}

/** The listed wallet that a stand-in stands for, if it is known by now. */
export function standsInFor(config: Config): Connector | undefined {
  const id = standInId(config.state)
  return id === undefined ? undefined : findListed(config, id)
}
