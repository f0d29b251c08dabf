import { toHex, toNumber } from '#lib/page/quantity.ts'
import { agreedValue, type ReadCalls } from '#lib/page/reading.ts'
import { isRecord } from '../parse-json.ts'
import { isHash } from './checks.ts'
import { readSent, type SentCall } from './compare.ts'

/** The transaction that used a nonce. */
export interface NonceUse {
  readonly hash: `0x${string}`
  /** Agreed blocks, its own included. */
  readonly seen: number
  readonly sent: SentCall
}

/** What an account sent with this nonce, found by the gateway; null while there is nothing, undefined where the nodes do not say. */
export async function findByNonce(
  from: `0x${string}`,
  nonce: number,
  readCalls: ReadCalls,
): Promise<NonceUse | null | undefined> {
  const [head, transaction] = await readCalls([
    { method: 'eth_blockNumber', params: [] },
    { method: 'eth_getTransactionBySenderAndNonce', params: [from, toHex(nonce)] },
  ])
  const found = agreedValue(transaction)
  if (!isRecord(found)) return found === null ? null : undefined
  const [latest, block] = [toNumber(agreedValue(head)), toNumber(found.blockNumber)]
  const sent = readSent(found)
  if (latest === null || block === null || !isHash(found.hash) || sent === null) return undefined
  return { hash: found.hash, seen: Math.max(1, latest - block + 1), sent }
}
