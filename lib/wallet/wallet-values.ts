import { type Address, getAddress, isAddress } from 'viem'
import { attempt } from './untrusted.ts'
import { isChainId } from './visitor.ts'

/** What a wallet says its accounts are, without what is none; undefined if it is no list, or a list of other things. */
export function toAccounts(value: unknown): readonly Address[] | undefined {
  const list = attempt(() => (Array.isArray(value) ? [...value] : undefined))
  const accounts = list?.flatMap((account) => toAccount(account) ?? [])
  return accounts?.length === 0 && list?.length !== 0 ? undefined : accounts
}

function toAccount(value: unknown): Address | undefined {
  return typeof value === 'string' && isAddress(value, { strict: false }) ? getAddress(value) : undefined
}

/** What a wallet says its chain is: by EIP-1193 in hex, but some wallets send decimals or numbers. Undefined if it is none. */
export function toChainId(value: unknown): number | undefined {
  const isText = typeof value === 'string' && /^(0x[0-9a-f]+|[0-9]+)$/i.test(value)
  const chainId = isText ? Number(value) : value
  return isChainId(chainId) ? chainId : undefined
}
