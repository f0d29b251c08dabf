import type { ReadCall, ReadChain } from '#lib/page/reading.ts'
import { mirror } from './mirror.ts'
import { hasReceipt, type TransactionRecord, type Transactions } from './stored-transactions.ts'
import { type Sighting, trackTransaction } from './track.ts'

/** The chains, and the wallet as long as it has not sent the transaction. */
interface Sources {
  readonly readChain: ReadChain
  /** For what settles a transaction: who believes a lie there may send it again. */
  readonly readProtected: ReadChain
  readonly readWalletStatus: (record: TransactionRecord) => Promise<Sighting>
  /** Called when a receipt has settled a transaction. */
  readonly onSettled?: () => void
}

/** Poll interval by the transaction's age. Each poll costs the visitor's own budget. */
const pace = [
  { untilMs: 15_000, intervalMs: 1000 },
  { untilMs: 5 * 60_000, intervalMs: 4000 },
] as const
const oldIntervalMs = 15_000

/**
 * Polls every pending transaction until it is settled, less often as it gets older, and checks untracked and replaced ones once:
 * they may have a receipt by now. Returns a function that stops it.
 */
export function follow(transactions: Transactions, sources: Sources): () => void {
  const following = new Map<string, { stop: () => void }>()
  const checkedHashes = new Set<string>()
  const begin = () => {
    for (const { hash, status } of transactions.all()) {
      const isDone = hasReceipt(status) || (status !== 'pending' && checkedHashes.has(hash))
      if (isDone || following.has(hash)) continue
      checkedHashes.add(hash)
      following.set(
        hash,
        followOne(transactions, sources, hash, () => following.delete(hash)),
      )
    }
  }
  const unsubscribe = transactions.subscribe(begin)
  begin()
  return () => {
    unsubscribe()
    for (const { stop } of following.values()) stop()
  }
}

function intervalMs(ageMs: number): number {
  return pace.find(({ untilMs }) => ageMs < untilMs)?.intervalMs ?? oldIntervalMs
}

function followOne(
  transactions: Transactions,
  sources: Sources,
  hash: string,
  ended: () => void,
): { stop: () => void } {
  const leaving = new AbortController()
  let timer: ReturnType<typeof setTimeout>
  const find = () => transactions.all().find((candidate) => candidate.hash === hash)
  const turn = async () => {
    const record = find()
    if (record === undefined || hasReceipt(record.status)) return ended()
    const sighting = await see(record, sources, leaving.signal)
    if (leaving.signal.aborted) return
    if (Object.keys(sighting).length > 0) transactions.change(hash, sighting)
    if (sighting.status && hasReceipt(sighting.status)) {
      mirror({ ...record, ...sighting })
      sources.onSettled?.()
    }
    if (find()?.status !== 'pending') return ended()
    timer = setTimeout(again, intervalMs(Date.now() - record.sentMs))
  }
  const again = () => (find()?.status === 'pending' ? void turn() : ended())
  void turn()
  return {
    stop() {
      leaving.abort()
      clearTimeout(timer)
    },
  }
}

/** One poll. While a multi-owner wallet has not sent it, the wallet is asked first; `hash` may be the wallet's id or a transaction hash. */
async function see(record: TransactionRecord, sources: Sources, signal: AbortSignal): Promise<Sighting> {
  if (record.sentAs !== null) return trackTwice(record, sources, signal)
  const walletStatus = await sources.readWalletStatus(record)
  if (Object.keys(walletStatus).length > 0) return walletStatus
  const found = await trackTwice({ ...record, sentAs: record.hash }, sources, signal)
  return typeof found.block === 'number' ? { ...found, sentAs: record.hash } : {}
}

/** Everyday answers say how it is coming along; what they say of its end is asked again, by protected calls, and only that counts. */
async function trackTwice(
  record: TransactionRecord,
  { readChain, readProtected }: Sources,
  signal: AbortSignal,
): Promise<Sighting> {
  const by = (read: ReadChain) => (calls: readonly ReadCall[]) => read(record.chainId, calls, signal)
  const sighting = await trackTransaction(record, by(readChain))
  const { status = 'pending' } = sighting
  return status === 'pending' ? sighting : trackTransaction(record, by(readProtected))
}
