import type { ReadCall, Reading } from '#lib/page/reading.ts'
import { isRecord } from '../parse-json.ts'
import { isHash } from './checks.ts'
import { readSent, type SentCall } from './compare.ts'

type ReadCalls = (calls: readonly ReadCall[]) => Promise<readonly Reading[]>

/** A nonce of an account, and a block in which it was not used yet. */
export interface NonceSince {
  readonly nonce: number
  readonly block: number
}

/** The transaction that used a nonce. */
export interface NonceUse {
  readonly hash: `0x${string}`
  readonly block: number
  /** Agreed blocks, its own included. */
  readonly seen: number
  readonly sent: SentCall
}

/** What an account sent with this nonce; null while it is not used, undefined where the nodes do not say. */
export async function findByNonce(
  from: `0x${string}`,
  { nonce, block }: NonceSince,
  readCalls: ReadCalls,
): Promise<NonceUse | null | undefined> {
  const isUsedAt = async (tag: string) => {
    const [reading] = await readCalls([{ method: 'eth_getTransactionCount', params: [from, tag] }])
    const count = quantityOf(agreedValue(reading))
    return count === null ? undefined : count > nonce
  }
  const [reading] = await readCalls([{ method: 'eth_blockNumber', params: [] }])
  const head = quantityOf(agreedValue(reading))
  if (head === null) return undefined
  const isUsed = await isUsedAt(toHex(head))
  if (!isUsed) return isUsed === undefined ? undefined : null
  // The first block after which it is used.
  let [before, after] = [Math.min(block, head - 1), head]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    const isUsedThen = await isUsedAt(toHex(middle))
    if (isUsedThen === undefined) return undefined
    if (isUsedThen) after = middle
    else before = middle
  }
  const [found] = await readCalls([{ method: 'eth_getBlockByNumber', params: [toHex(after), true] }])
  const transaction = transactionsOf(agreedValue(found)).find(
    (one) => String(one.from).toLowerCase() === from.toLowerCase() && quantityOf(one.nonce) === nonce,
  )
  const sent = readSent(transaction)
  if (!transaction || !isHash(transaction.hash) || sent === null) return undefined
  return { hash: transaction.hash, block: after, seen: head - after + 1, sent }
}

function transactionsOf(block: unknown): readonly Readonly<Record<string, unknown>>[] {
  return isRecord(block) && Array.isArray(block.transactions) ? block.transactions.filter(isRecord) : []
}

/** Undefined: not agreed. */
export function agreedValue(reading: Reading | undefined): unknown {
  return reading?.state === 'agreed' ? reading.value : undefined
}

export function quantityOf(value: unknown): number | null {
  return typeof value === 'string' && /^0x[0-9a-f]{1,13}$/i.test(value) ? Number(value) : null
}

function toHex(value: number): `0x${string}` {
  return `0x${value.toString(16)}`
}
