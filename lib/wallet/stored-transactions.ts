import { createStoredList, type ItemStorage } from '#lib/page/stored-list.ts'
import { isHash } from './checks.ts'
import { type Included, isIncluded } from './included.ts'
import type { WalletCall } from './meaning.ts'
import { callOf, type FoundTransaction, isFound, isReviewed, type Reviewed } from './reviewed.ts'

/**
 * `unanswered`: the wallet was asked to send it, and it is not known whether it did. `untracked`: no longer polled, because its owner
 * wished so or no node has shown it for a day. `different`: included, but not what was reviewed.
 */
export type TransactionStatus = (typeof statuses)[number]

const statuses = [
  'unanswered',
  'pending',
  'untracked',
  'replaced',
  'failed',
  'different',
  'confirmed',
] as const

/** Whether the status comes from a receipt. The others are inferred from missing data. */
export function hasReceipt(status: TransactionStatus): boolean {
  return status === 'confirmed' || status === 'failed' || status === 'different'
}

/** Whether the wallet sent the call again with another fee. A multi-owner wallet has its own id instead of the first hash. */
export function isSpedUp({ hash, sentAs, since, others }: TransactionRecord): boolean {
  return others === undefined && since !== undefined && typeof sentAs === 'string' && sentAs !== hash
}

/** What the visitor reviewed: one call, or those of one prompt in their order. */
export function reviewedCalls({ reviewed, others = [] }: TransactionRecord): readonly Reviewed[] {
  return reviewed === undefined ? [] : [reviewed, ...others]
}

/** The same as calls; null for records of earlier versions. */
export function walletCalls(record: TransactionRecord): readonly [WalletCall, ...WalletCall[]] | null {
  const [first, ...others] = reviewedCalls(record).map((reviewed) => callOf(record.from, reviewed))
  return first === undefined ? null : [first, ...others]
}

/** A transaction as stored in this browser. */
export interface TransactionRecord {
  /** While the wallet has returned none (`unanswered`), random. */
  readonly hash: `0x${string}`
  readonly chainId: number
  readonly from: `0x${string}`
  readonly description: string
  readonly status: TransactionStatus
  /** Agreed blocks required, its own included. */
  readonly confirmations: number
  /** Agreed blocks so far. */
  readonly seen: number
  readonly block: number | null
  /** At the last look too few nodes could be reached to confirm anything of it. */
  readonly isThin?: boolean
  /** As a node reports it for this transaction; null until then. */
  readonly nonce: number | null
  readonly sentMs: number
  /** From where to look for it by nonce. Multi-owner wallets have none: another account sends it. */
  readonly since?: { readonly nonce: number }
  /** The first block whose events may tell of it, where a multi-owner wallet was asked. */
  readonly sinceBlock?: number
  /**
   * The transaction's hash where `hash` is another one: of a multi-owner wallet and of several calls their own id, and null here until
   * it is sent; else the wallet sent the call again, with another fee.
   */
  readonly sentAs?: `0x${string}` | null
  /** What the visitor reviewed. Records of earlier versions lack it. */
  readonly reviewed?: Reviewed
  /** The calls after the reviewed one, where the wallet carries out several as one. */
  readonly others?: readonly Reviewed[]
  /** The wallet's id of these calls (EIP-5792). `sentAs` is null until the wallet says what it has sent. */
  readonly batchId?: string
  /** What was included instead, with `different`; what the account has sent since, with `unanswered`. */
  readonly found?: FoundTransaction
  /** What used its nonce; with `replaced` only. */
  readonly replacedBy?: { readonly hash: `0x${string}`; readonly isCancel: boolean }
  /** What was included; with a receipt only. */
  readonly included?: Included
  /** The account's next nonce, where that is an earlier one: its transaction has to be included first, and may be known to no node. */
  readonly blockedBy?: { readonly nonce: number; readonly isMissing: boolean } | null
  /** It was settled by a block that is not final. */
  readonly isProvisional?: boolean
}

/** Exported for `storage` event listeners. */
export const storageKey = 'quorate.transactions'
const completedMax = 10
/** The largest time of a Date. */
const timeMsMax = 8.64e15

export type Transactions = ReturnType<typeof createTransactions>

/** This browser's transactions, across tabs. Without storage they last until the page is left. */
export function createTransactions(storage: ItemStorage | null) {
  const list = createStoredList(storage, storageKey, isRecord)
  const replace = (alter: (known: readonly TransactionRecord[]) => readonly TransactionRecord[]) =>
    list.save((stored) => trim(alter(refresh(list.get(), stored))))
  return {
    /** Newest first: every pending one, and at most ten completed for each account and chain. */
    all: list.get,
    add(record: TransactionRecord) {
      replace((known) => [record, ...known.filter(({ hash }) => hash !== record.hash)])
    },
    change(hash: string, change: Partial<TransactionRecord>) {
      replace((known) =>
        known.map((record) => {
          const next = { ...record, ...change }
          // A poll that started before another tab settled the transaction is outdated.
          return record.hash === hash && follows(next, record) ? next : record
        }),
      )
    },
    /** Removes matching transactions in every tab. This changes nothing on a chain; pending ones are no longer polled. */
    remove(applies: (record: TransactionRecord) => boolean) {
      replace((known) => known.filter((record) => !applies(record)))
    },
    /** Merges what other tabs have stored in the meantime. */
    reload() {
      list.set(trim((list.isStored() ? refresh : merge)(list.get(), list.load())))
    },
    subscribe: list.subscribe,
  }
}

/** The stored transactions, each in the more recent of both versions. Another tab may have added or removed some. */
function refresh(
  ours: readonly TransactionRecord[],
  others: readonly TransactionRecord[],
): readonly TransactionRecord[] {
  const hashes = new Set(others.map(({ hash }) => hash))
  return merge(
    ours.filter(({ hash }) => hashes.has(hash)),
    others,
  )
}

/** The union. For duplicates theirs was written last, unless ours has the more final status. */
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

/** Whether `next` may replace `known`: a receipt overrides an inferred status, until a final block lacks it. */
function follows(next: TransactionRecord, known: TransactionRecord): boolean {
  const isRevised = known.isProvisional === true && next.isProvisional === false
  if (hasReceipt(known.status)) return hasReceipt(next.status) || isRevised
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

/** Whether its end is open. */
export function isPending({ status }: Pick<TransactionRecord, 'status'>): boolean {
  return status === 'pending' || status === 'unanswered'
}

function isRecord(value: unknown): value is TransactionRecord {
  try {
    const record = value as TransactionRecord
    const { hash, sentAs, confirmations } = record
    return (
      [hash, sentAs ?? hash].every(isHash) &&
      typeof record.description === 'string' &&
      Number.isInteger(confirmations) &&
      confirmations >= 1 &&
      typeof record.chainId === 'number' &&
      typeof record.from === 'string' &&
      // No other time can be written as a date.
      Math.abs(record.sentMs) <= timeMsMax &&
      [record.sentMs, record.seen, record.block ?? 0, record.nonce ?? 0].every(Number.isInteger) &&
      statuses.includes(record.status) &&
      (record.reviewed === undefined || isReviewed(record.reviewed)) &&
      (record.others === undefined || (record.reviewed !== undefined && record.others.every(isReviewed))) &&
      (record.batchId === undefined || typeof record.batchId === 'string') &&
      (record.since === undefined || Number.isInteger(record.since.nonce)) &&
      Number.isInteger(record.sinceBlock ?? 0) &&
      (record.included === undefined || isIncluded(record.included)) &&
      (!record.blockedBy || Number.isInteger(record.blockedBy.nonce)) &&
      (record.replacedBy === undefined || isHash(record.replacedBy.hash)) &&
      (record.status === 'different' ? record.reviewed !== undefined && isFound(record.found) : true) &&
      (record.found === undefined || isFound(record.found))
    )
  } catch {
    return false
  }
}
