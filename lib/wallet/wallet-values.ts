import type { Address } from 'viem'
import { attempt } from './untrusted.ts'
import { isChainId } from './visitor.ts'

const addressShape = /^0x[0-9a-f]{40}$/i
/** The address of a visitor who returns, by its lower case: its checksum is known without a hash. */
const known = new Map<string, Address>()

export function knowAddress(address: Address): void {
  known.set(address.toLowerCase(), address)
}

/** What a wallet says its accounts are, without what is none; undefined if it is no list, or a list of other things. */
export async function toAccounts(value: unknown): Promise<readonly Address[] | undefined> {
  const list = attempt(() => (Array.isArray(value) ? [...value] : undefined))
  const addresses = list?.filter((account) => typeof account === 'string' && addressShape.test(account))
  if (addresses?.length === 0 && list?.length !== 0) return undefined
  return addresses && Promise.all(addresses.map(checksummed))
}

async function checksummed(address: string): Promise<Address> {
  return known.get(address.toLowerCase()) ?? (await import('./checksum.ts')).checksum(address)
}

/** What a wallet says its chain is: by EIP-1193 in hex, but some wallets send decimals or numbers. Undefined if it is none. */
export function toChainId(value: unknown): number | undefined {
  const isText = typeof value === 'string' && /^(0x[0-9a-f]+|[0-9]+)$/i.test(value)
  const chainId = isText ? Number(value) : value
  return isChainId(chainId) ? chainId : undefined
}
