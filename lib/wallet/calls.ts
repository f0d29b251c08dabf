import type { Config } from 'wagmi'
import { getCallsStatus } from 'wagmi/actions'
import type { Sighting } from './track.ts'
import type { TransactionRecord } from './transactions.ts'

/** Part of what WalletConnect's provider has of a wallet behind the relay. */
interface RelayProvider {
  readonly session?: { readonly peer: { readonly metadata: { readonly url: string } } }
}

/**
 * Whether the connected wallet has several owners, who sign one after the other: it returns a name of its own where others return a
 * transaction's hash. A Safe is one, in its own frame or behind the relay.
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

/** What the wallet says of a transaction that it was given (EIP-5792); empty while it waits, and where another wallet is connected. */
export async function askWallet(record: TransactionRecord, config: Config): Promise<Sighting> {
  if (!(await hasOwners(config))) return {}
  try {
    const { statusCode, receipts } = await getCallsStatus(config, { id: record.hash })
    const sentAs = receipts?.[0]?.transactionHash
    if (sentAs !== undefined) return { sentAs }
    if (statusCode === 400) return { status: 'replaced' }
    return statusCode >= 500 ? { status: 'failed' } : {}
  } catch {
    // It cannot say just now.
    return {}
  }
}

function connectorOf({ state: { connections, current } }: Config) {
  return current === null ? undefined : connections.get(current)?.connector
}
