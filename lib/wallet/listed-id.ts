import type { Config, Connector } from 'wagmi'
import { listedWallets, rdnsShape } from './visitor.ts'

/** The id under which a wallet is listed: ours where RainbowKit lists it by one, else the connector's own. */
export function listedId(connector: Connector): string {
  return (connector as { rkDetails?: { id?: string } }).rkDetails?.id ?? connector.id
}

/** The wallet that is listed under this id, if it is known by now. Several wallets may share a connector's own id. */
export function findListed(config: Config, id: string): Connector | undefined {
  return config.connectors.find((connector) => listedId(connector) === id)
}

const slugLettersMax = 63

/** The id of a wallet that announced itself: its rdns where the cookie takes that and no wallet of the list has it, else one made of it. */
export function announcedId(rdns: string): string {
  const isListed = listedWallets.some((id) => id === rdns)
  if (rdnsShape.test(rdns) && !isListed) return rdns
  const slug = rdns.toLowerCase().replace(/[^a-z0-9-]/g, '-')
  return `announced.${slug.slice(0, slugLettersMax) || '-'}`
}
