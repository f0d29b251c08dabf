import type { Config } from 'wagmi'
import { getCallsStatus } from 'wagmi/actions'
import type { Sighting } from './track.ts'
import type { TransactionRecord } from './transactions.ts'

/** Wallets whose owners sign one after the other: what they return for a transaction is a name of their own. */
const severalOwners: ReadonlySet<string> = new Set(['safe'])

/** Whether the connected wallet returns a name of its own where others return a transaction's hash. */
export function namesItself(config: Config): boolean {
  return severalOwners.has(connectorOf(config)?.id ?? '')
}

/** What the wallet says of a transaction that it was given (EIP-5792); empty while it waits, and where another wallet is connected. */
export async function askWallet(record: TransactionRecord, config: Config): Promise<Sighting> {
  if (!namesItself(config)) return {}
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
