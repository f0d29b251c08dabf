import type { Question, Reading } from '#lib/page/reading.ts'
import type { TransactionRecord } from './transactions.ts'

/** What one look at the chain says of a pending transaction; empty when it says nothing new. */
export type Sighting = Partial<Pick<TransactionRecord, 'status' | 'seen' | 'block' | 'nonce' | 'sentAs'>>

type Ask = (questions: readonly Question[]) => Promise<readonly Reading[]>

/**
 * Looks once at a pending transaction. It is failed only when an agreed receipt says status 0, confirmed only when
 * enough agreed blocks stand on it, and replaced only when its nonce is used and it is not there. Silence changes nothing.
 */
export async function look(record: TransactionRecord, ask: Ask): Promise<Sighting> {
  const hash = record.sentAs ?? record.hash
  const [receipt, head, count, transaction] = await ask([
    { method: 'eth_getTransactionReceipt', params: [hash] },
    { method: 'eth_blockNumber', params: [] },
    { method: 'eth_getTransactionCount', params: [record.from, 'latest'] },
    { method: 'eth_getTransactionByHash', params: [hash] },
  ])
  const found = agreedValue(receipt)
  if (found === undefined) return {}
  if (found === null) return missing(record, numberOf(agreedValue(count)), agreedValue(transaction))
  const mined = found as { blockNumber?: unknown; status?: unknown }
  const block = numberOf(mined.blockNumber)
  const latest = numberOf(agreedValue(head))
  if (block === null || latest === null) return {}
  // An agreed receipt raises the agreed head, but a batch may have looked at the head first.
  const seen = Math.max(1, latest - block + 1)
  if (mined.status === '0x0') return { status: 'failed', seen, block }
  return { status: seen >= record.confirmations ? 'confirmed' : 'pending', seen, block }
}

/**
 * The nonce that the sender's next transaction will have, as far as the nodes know; null when they do not agree. A
 * transaction that is dropped before any node shows it could not be told from one that is on its way without this.
 */
export async function nonceBefore(from: TransactionRecord['from'], ask: Ask): Promise<number | null> {
  const [count] = await ask([{ method: 'eth_getTransactionCount', params: [from, 'pending'] }])
  return numberOf(agreedValue(count))
}

function missing(record: TransactionRecord, count: number | null, transaction: unknown): Sighting {
  const told = numberOf((transaction as { nonce?: unknown } | null | undefined)?.nonce)
  // Another account sends it, and pays.
  if (record.sentAs !== undefined) return anewOf(record)
  // What was read before sending is a forecast; the wallet had the last word.
  const nonce = told ?? record.nonce
  const anew = anewOf(record)
  if (nonce === null) return anew
  const used = count !== null && count > nonce
  return used && transaction === null ? { ...anew, nonce, status: 'replaced' } : { ...anew, nonce }
}

/** Mined before and gone again: a reorg took its block. It waits anew. */
function anewOf({ block }: TransactionRecord): Sighting {
  return block === null ? {} : { block: null, seen: 0 }
}

/** Undefined: not agreed. */
function agreedValue(reading: Reading | undefined): unknown {
  return reading?.state === 'agreed' ? reading.value : undefined
}

function numberOf(value: unknown): number | null {
  return typeof value === 'string' && /^0x[0-9a-f]{1,13}$/i.test(value) ? Number(value) : null
}
