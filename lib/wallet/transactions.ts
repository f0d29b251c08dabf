import { checkRecord } from './checks.ts'

export type TransactionStatus = 'pending' | 'confirmed' | 'failed' | 'replaced'

/** One transaction as this browser remembers it. Quantities are texts, so that it can be kept as JSON. */
export interface TransactionRecord {
  readonly hash: `0x${string}`
  readonly chainId: number
  readonly from: `0x${string}`
  readonly description: string
  readonly status: TransactionStatus
  /** Agreed blocks wanted, its own included. */
  readonly confirmations: number
  /** Agreed blocks so far. */
  readonly seen: number
  readonly block: number | null
  /** Known once the chain or the wallet has told it. */
  readonly nonce: number | null
  readonly sentMs: number
}

const storageKey = 'quorate.transactions'
const completedMax = 10

type Kept = Pick<Storage, 'getItem' | 'setItem'>

export interface Transactions {
  /** Newest first: every pending one, and at most ten completed for each account and chain. */
  readonly all: () => readonly TransactionRecord[]
  readonly add: (record: TransactionRecord) => void
  readonly change: (hash: string, change: Partial<TransactionRecord>) => void
  readonly subscribe: (listener: () => void) => () => void
}

/** The transactions of this browser. Works without storage too, until the page is left. */
export function createTransactions(storage: Kept | null): Transactions {
  let records = load(storage)
  const listeners = new Set<() => void>()
  const replace = (next: readonly TransactionRecord[]) => {
    records = trim(next)
    save(storage, records)
    for (const listener of listeners) listener()
  }
  return {
    all: () => records,
    add(record) {
      checkRecord(record)
      replace([record, ...records.filter(({ hash }) => hash !== record.hash)])
    },
    change(hash, change) {
      replace(records.map((record) => (record.hash === hash ? { ...record, ...change } : record)))
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function trim(records: readonly TransactionRecord[]): readonly TransactionRecord[] {
  const completed = new Map<string, number>()
  return records.filter(({ status, from, chainId }) => {
    if (status === 'pending') return true
    const place = `${from}:${chainId}`
    const count = (completed.get(place) ?? 0) + 1
    completed.set(place, count)
    return count <= completedMax
  })
}

function load(storage: Kept | null): readonly TransactionRecord[] {
  try {
    const value: unknown = JSON.parse(storage?.getItem(storageKey) ?? '[]')
    return Array.isArray(value) ? value.filter(isRecord) : []
  } catch {
    return []
  }
}

function save(storage: Kept | null, records: readonly TransactionRecord[]): void {
  try {
    storage?.setItem(storageKey, JSON.stringify(records))
  } catch {
    // Full or forbidden: remembered until the page is left.
  }
}

function isRecord(value: unknown): value is TransactionRecord {
  try {
    const record = value as TransactionRecord
    checkRecord(record)
    return typeof record.chainId === 'number' && typeof record.from === 'string' && 'status' in record
  } catch {
    return false
  }
}
