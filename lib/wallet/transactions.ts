import { checkRecord } from './checks.ts'

/** `untracked`: not followed any more, as its owner wished or because no node has shown it for a day. */
export type TransactionStatus = 'pending' | 'untracked' | 'replaced' | 'failed' | 'confirmed'

const statuses: readonly TransactionStatus[] = ['pending', 'untracked', 'replaced', 'failed', 'confirmed']

/** Whether the chain itself has said the end. All else is concluded from what the chain does not show. */
export function hasReceipt(status: TransactionStatus): boolean {
  return status === 'confirmed' || status === 'failed'
}

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
  /** As the chain tells it of this very transaction; null until then. */
  readonly nonce: number | null
  readonly sentMs: number
  /** Of a wallet with several owners: its hash on the chain, null until they have sent it. `hash` is the wallet's own then. */
  readonly sentAs?: `0x${string}` | null
}

/** The storage key, for listeners to other tabs' changes. */
export const storageKey = 'quorate.transactions'
const completedMax = 10

type Kept = Pick<Storage, 'getItem' | 'setItem'>

export interface Transactions {
  /** Newest first: every pending one, and at most ten completed for each account and chain. */
  readonly all: () => readonly TransactionRecord[]
  readonly add: (record: TransactionRecord) => void
  readonly change: (hash: string, change: Partial<TransactionRecord>) => void
  /** Removes those that `applies` to, in every tab. Nothing changes on any chain; a pending one is no longer followed. */
  readonly remove: (applies: (record: TransactionRecord) => boolean) => void
  /** Takes over what other tabs have kept in the meantime. */
  readonly reload: () => void
  readonly subscribe: (listener: () => void) => () => void
}

/** The transactions of this browser, of its other tabs too. Works without storage too, until the page is left. */
export function createTransactions(storage: Kept | null): Transactions {
  let records = load(storage)
  let saved = true
  const listeners = new Set<() => void>()
  const take = (next: readonly TransactionRecord[]) => {
    records = trim(next)
    for (const listener of listeners) listener()
  }
  // Another tab may have written since: saving only our own list would delete its transactions.
  const replace = (alter: (known: readonly TransactionRecord[]) => readonly TransactionRecord[]) => {
    // Where nothing can be written, what is there is older than what we know.
    const next = trim(alter(saved ? refresh(records, load(storage)) : records))
    saved = save(storage, next)
    take(next)
  }
  return {
    all: () => records,
    add(record) {
      checkRecord(record)
      replace((known) => [record, ...known.filter(({ hash }) => hash !== record.hash)])
    },
    change(hash, change) {
      replace((known) =>
        known.map((record) => {
          const next = { ...record, ...change }
          // A look that began before another tab saw the end comes too late.
          return record.hash === hash && follows(next, record) ? next : record
        }),
      )
    },
    remove(applies) {
      replace((known) => known.filter((record) => !applies(record)))
    },
    reload() {
      take((saved ? refresh : merge)(records, load(storage)))
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** What is kept, which another tab may have added to or removed from; of each the one that is known the better. */
function refresh(
  ours: readonly TransactionRecord[],
  kept: readonly TransactionRecord[],
): readonly TransactionRecord[] {
  const hashes = new Set(kept.map(({ hash }) => hash))
  return merge(
    ours.filter(({ hash }) => hashes.has(hash)),
    kept,
  )
}

/** Both. Of one that both know theirs was written last, unless ours is known the better. */
function merge(
  ours: readonly TransactionRecord[],
  theirs: readonly TransactionRecord[],
): readonly TransactionRecord[] {
  const merged = new Map(ours.map((record) => [record.hash, record]))
  for (const record of theirs) {
    const known = merged.get(record.hash)
    if (!known || follows(record, known)) merged.set(record.hash, record)
  }
  return [...merged.values()]
}

/** Whether this may be said after that: a receipt is the last word, and one that is found later ends what was concluded without it. */
function follows(next: TransactionRecord, known: TransactionRecord): boolean {
  if (hasReceipt(known.status)) return hasReceipt(next.status)
  if (next.status === known.status || next.block !== null) return true
  return statuses.indexOf(next.status) > statuses.indexOf(known.status)
}

function trim(records: readonly TransactionRecord[]): readonly TransactionRecord[] {
  const completed = new Map<string, number>()
  const newestFirst = records.toSorted((one, other) => other.sentMs - one.sentMs)
  return newestFirst.filter((record) => {
    if (isPending(record)) return true
    const { from, chainId } = record
    const place = `${from}:${chainId}`
    const count = (completed.get(place) ?? 0) + 1
    completed.set(place, count)
    return count <= completedMax
  })
}

function isPending({ status }: TransactionRecord): boolean {
  return status === 'pending'
}

function load(storage: Kept | null): readonly TransactionRecord[] {
  try {
    const value: unknown = JSON.parse(storage?.getItem(storageKey) ?? '[]')
    return Array.isArray(value) ? value.filter(isRecord) : []
  } catch {
    return []
  }
}

/** Whether they could be written. Where storage is full, forbidden or absent, they are remembered until the page is left. */
function save(storage: Kept | null, records: readonly TransactionRecord[]): boolean {
  if (storage === null) return false
  try {
    storage.setItem(storageKey, JSON.stringify(records))
    return true
  } catch {
    return false
  }
}

function isRecord(value: unknown): value is TransactionRecord {
  try {
    const record = value as TransactionRecord
    checkRecord(record)
    const { sentAs = null } = record
    if (sentAs !== null) checkRecord({ ...record, hash: sentAs })
    return (
      typeof record.chainId === 'number' &&
      typeof record.from === 'string' &&
      statuses.includes(record.status)
    )
  } catch {
    return false
  }
}
