import type { Config } from 'wagmi'
import { getCallsStatus } from 'wagmi/actions'
import { isHash } from './checks.ts'
import type { TransactionRecord } from './stored-transactions.ts'
import type { Sighting } from './track.ts'

/** Part of WalletConnect's provider. */
interface RelayProvider {
  readonly session?: { readonly peer: { readonly metadata: { readonly url: string } } }
}

/**
 * Whether the connected wallet is a Safe, in its own frame or over WalletConnect. Its owners sign one after the other, so it
 * returns an id of its own instead of a transaction hash.
 */
export async function hasOwners(config: Config): Promise<boolean> {
  const connector = connectorOf(config)
  if (connector?.type !== 'walletConnect') return connector?.id === 'safe'
  const provider = (await connector.getProvider().catch(() => null)) as RelayProvider | null
  return isSafe(provider?.session?.peer.metadata.url)
}

function isSafe(url: string | undefined): boolean {
  return url !== undefined && URL.canParse(url) && /(^|\.)safe\.global$/.test(new URL(url).hostname)
}

/** The wallet's status of a transaction (EIP-5792); empty while it is waiting, and when another wallet is connected. */
export async function readWalletStatus(record: TransactionRecord, config: Config): Promise<Sighting> {
  if (!(await hasOwners(config))) return {}
  try {
    const { statusCode, receipts } = await getCallsStatus(config, { id: record.hash })
    const sentAs = receipts?.[0]?.transactionHash
    if (isHash(sentAs)) return { sentAs }
    if (statusCode === 400) return { status: 'replaced' }
    return statusCode >= 500 ? { status: 'failed' } : {}
  } catch {
    // Not available now; the next look asks again.
    return {}
  }
}

function connectorOf({ state: { connections, current } }: Config) {
  return current === null ? undefined : connections.get(current)?.connector
}
