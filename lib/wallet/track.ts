import type { Question, Reading } from '#lib/page/reading.ts'
import type { TransactionRecord } from './transactions.ts'

/** What one look at the chain says of a pending transaction; empty when it says nothing new. */
export type Sighting = Partial<Pick<TransactionRecord, 'status' | 'seen' | 'block' | 'nonce' | 'sentAs'>>

type Ask = (questions: readonly Question[]) => Promise<readonly Reading[]>

/** A transaction that no node shows any more is followed for this long. */
export const followedMs = 24 * 60 * 60 * 1000

/**
 * Looks once at a transaction. It is failed only when an agreed receipt says status 0, confirmed only when enough agreed blocks stand on
 * it, and replaced only when a final block has another transaction with its nonce. Silence changes nothing.
 */
export async function look(record: TransactionRecord, ask: Ask): Promise<Sighting> {
  const hash = record.sentAs ?? record.hash
  const [receipt, head, transaction] = await ask([
    { method: 'eth_getTransactionReceipt', params: [hash] },
    { method: 'eth_blockNumber', params: [] },
    { method: 'eth_getTransactionByHash', params: [hash] },
  ])
  const found = agreedValue(receipt)
  if (found === undefined) return {}
  if (found === null) return missing(record, agreedValue(transaction), ask)
  const mined = found as { blockNumber?: unknown; status?: unknown }
  const block = numberOf(mined.blockNumber)
  const latest = numberOf(agreedValue(head))
  if (block === null || latest === null) return {}
  // An agreed receipt raises the agreed head, but a batch may have looked at the head first.
  const seen = Math.max(1, latest - block + 1)
  if (mined.status === '0x0') return { status: 'failed', seen, block }
  return { status: seen >= record.confirmations ? 'confirmed' : 'pending', seen, block }
}

async function missing(record: TransactionRecord, transaction: unknown, ask: Ask): Promise<Sighting> {
  const anew = anewOf(record)
  const told = numberOf((transaction as { nonce?: unknown } | null | undefined)?.nonce)
  if (told !== null) return { ...anew, nonce: told }
  if (transaction !== null) return anew
  // Of several owners another account sends it, and pays.
  if (record.sentAs === undefined && (await isNonceFinal(record, ask))) return { ...anew, status: 'replaced' }
  return Date.now() - record.sentMs > followedMs ? { ...anew, status: 'untracked' } : anew
}

/**
 * Whether a final block has a transaction with this nonce. It is another one where this one has no receipt. A nonce that no node has told
 * of this very transaction is not gone by: private transactions, and those of other devices, make every forecast wrong.
 */
async function isNonceFinal({ from, nonce }: TransactionRecord, ask: Ask): Promise<boolean> {
  if (nonce === null) return false
  const [count] = await ask([{ method: 'eth_getTransactionCount', params: [from, 'finalized'] }])
  const used = numberOf(agreedValue(count))
  return used !== null && used > nonce
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
