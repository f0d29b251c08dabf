import type { Config, Connector } from 'wagmi'

/** The id under which a wallet is listed: ours where RainbowKit lists it by one, else the connector's own. */
export function listedId(connector: Connector): string {
  return (connector as { rkDetails?: { id?: string } }).rkDetails?.id ?? connector.id
}

/** The wallet that is listed under this id, if it is known by now. Several wallets may share a connector's own id. */
export function findListed(config: Config, id: string): Connector | undefined {
  return config.connectors.find((connector) => listedId(connector) === id)
}
