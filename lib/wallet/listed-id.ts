import type { Config, Connector } from 'wagmi'
import { wallets } from '#site'
import { rdnsShape } from './visitor.ts'

/** The id under which a wallet is listed: RainbowKit's if it has one, otherwise the connector's. */
export function listedId(connector: Connector): string {
  return (connector as { rkDetails?: { id?: string } }).rkDetails?.id ?? connector.id
}

/** The wallet listed under this id, if wagmi already has it. Several wallets may share a connector id. */
export function findListed(config: Config, id: string): Connector | undefined {
  return config.connectors.find((connector) => listedId(connector) === id)
}

const slugLettersMax = 63

/** The id of an announced wallet: its rdns if the cookie's format allows it and no listed wallet has that id, otherwise a slug of it. */
export function announcedId(rdns: string): string {
  const isListed = wallets.some((id) => id === rdns)
  if (rdnsShape.test(rdns) && !isListed) return rdns
  const slug = rdns.toLowerCase().replace(/[^a-z0-9-]/g, '-')
  return `announced.${slug.slice(0, slugLettersMax) || '-'}`
}
