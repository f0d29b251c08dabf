import { createConnector } from 'wagmi'
import { createWalletConfig } from '#lib/wallet/config.ts'
import type { Visitor } from '#lib/wallet/visitor.ts'

const currency = { name: 'POL', symbol: 'POL', decimals: 18 }

export const chains = [{ id: 137, name: 'Polygon', currency, explorer: null, publicUrls: [] }] as const

/** The wallet configuration of a page with one chain. */
export const configWith = (visitor: Visitor | null = null) =>
  createWalletConfig({ chains, gateway: 'https://gateway.example', visitor })

/** A wallet of this type with these members of wagmi's connectors, and of this id. */
export const walletOf = (type: string, members: object, id = type) =>
  createConnector(() => ({ id, name: id, type, ...members }) as never)
