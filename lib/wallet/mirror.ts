import { plainText } from '#lib/page/plain-text.ts'
import { activityTexts } from '#lib/page/texts/activity.ts'
import { hasReceipt, isPending, type TransactionRecord, type Transactions } from './stored-transactions.ts'

const rainbowKey = 'rk-transactions'
const completedMax = 10

/**
 * Adds a settled transaction to RainbowKit's account dialog. Not pending ones: RainbowKit would poll them itself and report
 * every error as a failed transaction.
 */
export function mirror(record: TransactionRecord): void {
  const { from, chainId, confirmations } = record
  // RainbowKit has no words for what was included but is not what was reviewed.
  const isDifferent = record.status === 'different'
  const status = isDifferent ? 'failed' : record.status
  const text = isDifferent ? activityTexts.instead(record.description) : record.description
  const description = plainText(text)
  const hash = record.sentAs ?? record.hash
  changeStored((stored) => {
    const others = (stored[from]?.[chainId] ?? []).filter((other) => other.hash !== hash)
    const list = [{ hash, description, status, confirmations }, ...others].slice(0, completedMax)
    return { ...stored, [from]: { ...stored[from], [chainId]: list } }
  })
}

/** Removes an account's transactions on all chains from RainbowKit's account dialog. */
export function unmirror(address: string): void {
  changeStored(({ [address]: _, ...others }) => others)
}

/** Removes an account's settled transactions here and from RainbowKit's account dialog. Returns what brings them back. */
export function clearSettled(transactions: Transactions, address: string): () => void {
  const isSettled = (record: TransactionRecord) => record.from === address && !isPending(record)
  const cleared = transactions.all().filter(isSettled)
  transactions.remove(isSettled)
  unmirror(address)
  return () => {
    // The newest comes first in that dialog.
    for (const record of cleared.toReversed()) {
      transactions.add(record)
      if (hasReceipt(record.status)) mirror(record)
    }
  }
}

/** By account and chain. */
type Stored = Readonly<Record<string, Readonly<Record<number, readonly { readonly hash?: unknown }[]>>>>

function changeStored(change: (stored: Stored) => Stored): void {
  try {
    const stored = JSON.parse(localStorage.getItem(rainbowKey) ?? '{}') ?? {}
    localStorage.setItem(rainbowKey, JSON.stringify(change(stored)))
  } catch {
    // Without storage the dialog shows none.
  }
}
