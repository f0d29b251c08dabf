import { withTimeout } from 'viem'
import type { Config } from 'wagmi'
import { getConnectorClient, sendCalls } from 'wagmi/actions'
import { toHex } from '#lib/page/quantity.ts'
import { isRecord } from '../parse-json.ts'
import { isHash } from './checks.ts'
import type { WalletCall } from './meaning.ts'
import { connectionOf } from './placeholder.ts'
import { reviewedCalls, type TransactionRecord } from './stored-transactions.ts'
import type { Sighting } from './track.ts'
import { read } from './untrusted.ts'

/**
 * Whether the connected wallet is a Safe, in its own frame or over WalletConnect. Its owners sign one after the other, so it
 * returns an id of its own instead of a transaction hash.
 */
export async function hasOwners(config: Config): Promise<boolean> {
  const connector = connectionOf(config)?.connector
  if (connector?.type !== 'walletConnect') return connector?.id === 'safe'
  const provider = await connector.getProvider().catch(() => null)
  const url = ['session', 'peer', 'metadata', 'url'].reduce(read, provider)
  return typeof url === 'string' && URL.canParse(url) && /(^|\.)safe\.global$/.test(new URL(url).hostname)
}

/** A wallet that does not answer for so long is taken for one without an answer. */
const answerWithinMs = 10_000

/**
 * Whether the wallet carries out several calls on this chain as one (EIP-5792), perhaps after the visitor has agreed to an upgrade of
 * the account. Over WalletConnect the question may open the phone: only for what the visitor is about to send.
 */
export async function isAtomic(config: Config, chainId: number): Promise<boolean> {
  const account = connectionOf(config)?.accounts[0]
  const chain = toHex(chainId)
  const answer = await requestOf(config, 'wallet_getCapabilities', [account, [chain]]).catch(() => null)
  const chains = Object.entries(isRecord(answer) ? answer : {})
  // 0 stands for every chain.
  const [, own] = [chainId, 0].flatMap((id) => chains.find(([key]) => Number(key) === id) ?? [])
  if (!isRecord(own)) return false
  const { atomic, atomicBatch } = own
  if (isRecord(atomic)) return atomic.status === 'supported' || atomic.status === 'ready'
  // Version 1, which Safe's frame still speaks.
  return isRecord(atomicBatch) && atomicBatch.supported === true
}

interface Batch {
  readonly id: string
  readonly chainId: number
  readonly calls: readonly [WalletCall, ...WalletCall[]]
}

/** Asks the wallet to carry out all of the calls or none. Returns its id of them; not every wallet takes ours. */
export async function sendBatch(config: Config, { id, chainId, calls }: Batch): Promise<unknown> {
  const sent = await sendCalls(config, {
    account: calls[0].from,
    chainId,
    id,
    forceAtomic: true,
    calls: calls.map(({ to, value, data }) => ({ to, value, ...(data !== '0x' && { data }) })),
  })
  return sent.id
}

/** `hashes`: of several transactions, though the wallet was asked for one. */
export type WalletStatus = Sighting & { readonly hashes?: readonly `0x${string}`[] }

/**
 * What the wallet says that it has sent (EIP-5792); empty while it is waiting, and when another wallet is connected. Only the hashes
 * count: some wallets report a success as a failure.
 */
export async function readWalletStatus(record: TransactionRecord, config: Config): Promise<WalletStatus> {
  const isBatch = record.batchId !== undefined
  const isOwn = connectionOf(config)?.accounts.includes(record.from)
  if (isBatch ? !isOwn : !(await hasOwners(config))) return {}
  // Not available now; the next look asks again.
  const answer = await requestOf(config, 'wallet_getCallsStatus', [record.batchId ?? record.hash]).catch(
    () => null,
  )
  if (!isRecord(answer)) return {}
  const status = answer.status === 'CONFIRMED' ? 200 : Number(answer.status)
  const receipts = Array.isArray(answer.receipts) ? answer.receipts.filter(isRecord) : []
  const hashes = [...new Set(receipts.map(({ transactionHash }) => transactionHash).filter(isHash))]
  const [sentAs] = hashes
  if (sentAs !== undefined) {
    // Of calls that are not carried out as one, there may be more to come.
    if (isBatch && status < 200 && answer.atomic !== true) return {}
    return hashes.length > 1 && hashes.length === reviewedCalls(record).length ? { hashes } : { sentAs }
  }
  if (isBatch) return status >= 400 ? { status: 'untracked' } : {}
  if (status === 400) return { status: 'replaced' }
  return status >= 500 ? { status: 'failed' } : {}
}

async function requestOf(config: Config, method: string, params: readonly unknown[]): Promise<unknown> {
  const client = await getConnectorClient(config, { assertChainId: false })
  return withTimeout(() => client.request({ method, params } as never), { timeout: answerWithinMs })
}
