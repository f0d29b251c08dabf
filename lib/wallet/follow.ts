import { ask } from '#lib/page/ask.ts'
import { mirror } from './mirror.ts'
import { look, type Sighting } from './track.ts'
import type { TransactionRecord, Transactions } from './transactions.ts'

/** Whom a transaction is followed by: the gateway, and the wallet while it has not sent it. */
interface Sources {
  readonly gateway: string
  readonly askWallet: (record: TransactionRecord) => Promise<Sighting>
}

/** How long until the next look, by the age of what is looked at: each look spends of the visitor's own budget. */
const pace = [
  { untilMs: 15_000, lookAgainMs: 1000 },
  { untilMs: 5 * 60_000, lookAgainMs: 4000 },
] as const
const oldLookAgainMs = 15_000

/** Follows every pending transaction until it is settled, the older it is the less often; answers the way to stop. */
export function follow(transactions: Transactions, sources: Sources): () => void {
  const following = new Map<string, { stop: () => void }>()
  const begin = () => {
    for (const { hash, status } of transactions.all()) {
      if (status === 'pending' && !following.has(hash)) {
        following.set(
          hash,
          followOne(transactions, sources, hash, () => following.delete(hash)),
        )
      }
    }
  }
  const unsubscribe = transactions.subscribe(begin)
  begin()
  return () => {
    unsubscribe()
    for (const { stop } of following.values()) stop()
  }
}

function lookAgainMs(ageMs: number): number {
  return pace.find(({ untilMs }) => ageMs < untilMs)?.lookAgainMs ?? oldLookAgainMs
}

function followOne(
  transactions: Transactions,
  { gateway, askWallet }: Sources,
  hash: string,
  ended: () => void,
): { stop: () => void } {
  const leaving = new AbortController()
  let timer: ReturnType<typeof setTimeout>
  const turn = async () => {
    const record = transactions.all().find((candidate) => candidate.hash === hash)
    if (record?.status !== 'pending') return ended()
    const sighting =
      record.sentAs === null
        ? await askWallet(record)
        : await look(record, (questions) => ask(gateway, record.chainId, questions, leaving.signal))
    if (leaving.signal.aborted) return
    if (Object.keys(sighting).length > 0) transactions.change(hash, sighting)
    if (sighting.status === 'confirmed' || sighting.status === 'failed') mirror({ ...record, ...sighting })
    timer = setTimeout(() => void turn(), lookAgainMs(Date.now() - record.sentMs))
  }
  void turn()
  return {
    stop() {
      leaving.abort()
      clearTimeout(timer)
    },
  }
}
