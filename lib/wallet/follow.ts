import { type QueryClient, QueryObserver, queryOptions } from '@tanstack/react-query'
import type { ReadCall, ReadChain } from '#lib/page/reading.ts'
import type { WalletStatus } from './calls.ts'
import { mirror } from './mirror.ts'
import {
  hasReceipt,
  isPending,
  reviewedCalls,
  type TransactionRecord,
  type Transactions,
} from './stored-transactions.ts'
import { findUnanswered, recheck, type Sighting, trackTransaction } from './track.ts'

/** The chains, and the wallet as long as it has not sent the transaction. */
interface Sources {
  readonly readChain: ReadChain
  /** For what settles a transaction: a visitor who believes a lie there may send it again. */
  readonly readProtected: ReadChain
  readonly readWalletStatus: (record: TransactionRecord) => Promise<WalletStatus>
  /** Called when a receipt has settled a transaction. */
  readonly onSettled?: () => void
}

/** Poll interval by the transaction's age. Each poll costs the visitor's own budget. */
const pollMs = (ageMs: number) => (ageMs < 15_000 ? 1000 : ageMs < 5 * 60_000 ? 4000 : 15_000)
/** Of what is settled, until its block is final. */
const provisionalIntervalMs = 60_000

/**
 * Polls every pending transaction until it is settled, less often as it gets older, and checks untracked and replaced ones once:
 * they may have a receipt by now. Returns a function that stops it.
 */
export function follow(queries: QueryClient, transactions: Transactions, sources: Sources): () => void {
  const following = new Map<string, () => void>()
  const checkedHashes = new Set<string>()
  const begin = () => {
    for (const record of transactions.all()) {
      const { hash } = record
      const isOpen = isFollowed(record) || !(hasReceipt(record.status) || checkedHashes.has(hash))
      if (!isOpen || following.has(hash)) continue
      checkedHashes.add(hash)
      const observer = new QueryObserver(queries, followQuery(transactions, sources, hash))
      const end = observer.subscribe(({ data: followed }) => {
        if (followed !== 'over') return
        following.delete(hash)
        end()
      })
      following.set(hash, end)
    }
  }
  const unsubscribe = transactions.subscribe(begin)
  begin()
  return () => {
    unsubscribe()
    for (const end of following.values()) end()
  }
}

function followQuery(transactions: Transactions, sources: Sources, hash: string) {
  const find = () => transactions.all().find((candidate) => candidate.hash === hash)
  let isFirst = true
  return queryOptions({
    queryKey: ['following', hash],
    async queryFn({ signal }): Promise<'pending' | 'over'> {
      const record = find()
      // An untracked or replaced one is looked at once.
      if (record === undefined || !(isFollowed(record) || (isFirst && !hasReceipt(record.status))))
        return 'over'
      isFirst = false
      if (record.status === 'unanswered') await lookFor(record, transactions, sources)
      else {
        const { hashes, ...sighting } = await see(record, transactions, sources)
        if (signal.aborted) return 'over'
        if (hashes) separate(record, hashes, transactions)
        const isSettled = sighting.status !== undefined && hasReceipt(sighting.status)
        if (Object.keys(sighting).length > 0)
          transactions.change(hash, { ...sighting, ...(isSettled && { isProvisional: true }) })
        if (isSettled) {
          mirror({ ...record, ...sighting })
          sources.onSettled?.()
        }
      }
      const now = find()
      return now && isFollowed(now) ? 'pending' : 'over'
    },
    gcTime: 0,
    refetchInterval: () =>
      find()?.isProvisional ? provisionalIntervalMs : pollMs(Date.now() - (find()?.sentMs ?? 0)),
    refetchIntervalInBackground: true,
  })
}

function isFollowed(record: TransactionRecord): boolean {
  return isPending(record) || record.isProvisional === true
}

function findByNonces(record: TransactionRecord, transactions: Transactions, { readChain }: Sources) {
  return findUnanswered(
    record,
    (calls) => readChain(record.chainId, calls),
    transactions.all().filter(({ hash }) => hash !== record.hash),
  )
}

/** Calls that the wallet sent one after the other, though it was asked for one transaction, are followed as what they are. */
function separate(
  record: TransactionRecord,
  hashes: readonly `0x${string}`[],
  transactions: Transactions,
): void {
  const { others: _, batchId, since, ...each } = record
  for (const [index, reviewed] of reviewedCalls(record).entries()) {
    const sentAs = hashes[index] ?? record.hash
    const isLast = index === hashes.length - 1
    const description = `${record.description} (${index + 1}/${hashes.length})`
    transactions.add({ ...each, description, reviewed, sentAs, hash: isLast ? record.hash : sentAs })
  }
}

/** What the wallet was asked to send, once it is found, is followed like what the wallet says that it sent. */
async function lookFor(record: TransactionRecord, transactions: Transactions, sources: Sources) {
  const { sentAs, ...sighting } = await findByNonces(record, transactions, sources)
  // By now the wallet may have answered: then what it said is followed.
  if (transactions.all().find(({ hash }) => hash === record.hash)?.status !== 'unanswered') return
  if (!sentAs) return transactions.change(record.hash, sighting)
  // The wallet may still answer with an id of its own.
  if (record.others || record.sinceBlock !== undefined)
    return transactions.change(record.hash, { ...sighting, sentAs, status: 'pending' })
  const { sentAs: _, ...found } = record
  transactions.remove(({ hash }) => hash === record.hash)
  transactions.add({ ...found, ...sighting, hash: sentAs, status: 'pending' })
}

/** One poll. While a multi-owner wallet has not sent it, the wallet is asked first; `hash` may be the wallet's id or a transaction hash. */
async function see(
  record: TransactionRecord,
  transactions: Transactions,
  sources: Sources,
): Promise<WalletStatus> {
  if (record.isProvisional) return recheck(record, (calls) => sources.readProtected(record.chainId, calls))
  if (record.sentAs !== null) return trackOrFind(record, transactions, sources)
  const walletStatus = await sources.readWalletStatus(record)
  if (walletStatus.sentAs ?? walletStatus.hashes) return walletStatus
  // The wallet may not know its id any more, or call a success a failure.
  if (record.batchId !== undefined && record.since) {
    const found = await findByNonces(record, transactions, sources)
    return found.sentAs ? found : { ...found, ...walletStatus }
  }
  if (walletStatus.status) return walletStatus
  const found = await trackTwice({ ...record, sentAs: record.hash }, sources)
  return typeof found.block === 'number' ? { ...found, sentAs: record.hash } : {}
}

/** No node may ever have shown it, as where it was sent privately: what the wallet sent instead is then found by the account's nonces. */
async function trackOrFind(
  record: TransactionRecord,
  transactions: Transactions,
  sources: Sources,
): Promise<Sighting> {
  const sighting = await trackTwice(record, sources)
  const { nonce, block } = { ...record, ...sighting }
  if (nonce !== null || block !== null || !isPending(record)) return sighting
  // Whether it is still looked for is said by what it returned itself.
  const { status, ...found } = await findByNonces(record, transactions, sources)
  return { ...sighting, ...found, ...(status === 'replaced' && { status }) }
}

/** Everyday answers say how it is coming along; what they say of its end is asked again, by protected calls, and only that counts. */
async function trackTwice(
  record: TransactionRecord,
  { readChain, readProtected }: Sources,
): Promise<Sighting> {
  const by = (read: ReadChain) => (calls: readonly ReadCall[]) => read(record.chainId, calls)
  const sighting = await trackTransaction(record, by(readChain))
  const { status = 'pending' } = sighting
  return status === 'pending' ? sighting : trackTransaction(record, by(readProtected))
}
