import { environmentManager } from '@tanstack/react-query'
import { concat } from 'viem'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { protect, quorate } from '#lib/page/quorate.ts'
import type { ReadCall } from '#lib/page/reading.ts'
import type { WalletStatus } from '#lib/wallet/calls.ts'
import { follow } from '#lib/wallet/follow.ts'
import { createQueries } from '#lib/wallet/query-cache.ts'
import { createTransactions, isSpedUp, type TransactionStatus } from '#lib/wallet/stored-transactions.ts'
import { recordOf } from './record.ts'

const minuteMs = 60_000

const reads = quorate('https://gateway.example/api/rpc/137')({}).value
const sources = {
  readChain: async (_: number, calls: readonly ReadCall[]) => reads?.read(calls) ?? [],
  readProtected: async (_: number, calls: readonly ReadCall[]) => reads?.readProtected(calls) ?? [],
  readWalletStatus: async () => ({}),
}

type Answers = Readonly<Record<string, unknown>>
interface Sent {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}
const thin = { code: -32010, message: 'failed to meet quorum', data: { reason: 'thin' } }

/** A gateway with these answers, and null otherwise; with other ones to protected calls, or none because it is thin. */
function answerWith(answers: Answers, firm: Answers | 'thin' = answers): void {
  const fetched = vi.fn(async (_: string, { body, headers }: Sent) => {
    const replies = headers[protect] === '1' ? firm : answers
    const asked = JSON.parse(body) as { id: number; method: string }[]
    const replyTo = (method: string) =>
      replies === 'thin' ? { error: thin } : { result: replies[method] ?? null }
    return Response.json(asked.map(({ id, method }) => ({ jsonrpc: '2.0', id, ...replyTo(method) })))
  })
  vi.stubGlobal('fetch', fetched)
}

/** Follows this transaction in a store of its own; `see` passes time and returns what is known of it then. */
function following(record = recordOf(), from: Partial<Parameters<typeof follow>[2]> = {}) {
  const transactions = createTransactions(null)
  transactions.add(record)
  const stop = follow(createQueries(), transactions, { ...sources, ...from })
  onTestFinished(stop)
  const see = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms)
    return transactions.all()[0]
  }
  return { transactions, see, stop }
}
/** How often an unreachable gateway is polled within this time for a transaction of this age. */
async function looks(agoMs: number, withinMs: number, status: TransactionStatus = 'pending') {
  const fetched = vi.fn(async () => Promise.reject(new TypeError('Failed to fetch')))
  vi.stubGlobal('fetch', fetched)
  const { see, stop } = following(recordOf({ sentMs: Date.now() - agoMs, status }))
  await see(withinMs)
  stop()
  return fetched.mock.calls.length
}
const minedAt = (block: string, head: string): Answers => ({
  eth_getTransactionReceipt: { blockNumber: block, status: '0x1' },
  eth_blockNumber: head,
})

describe('a followed transaction', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    // TanStack polls in browsers only.
    environmentManager.setIsServer(() => false)
  })
  afterEach(() => {
    environmentManager.setIsServer(() => true)
  })

  test('is looked at every second while it is new, seldom in its first minute, four times a minute when it is old', async () => {
    expect(await looks(0, 9_500)).toBe(10)
    expect(await looks(0, minuteMs)).toBeLessThanOrEqual(30)
    expect(await looks(24 * 60 * minuteMs, minuteMs - 1)).toBe(4)
  })

  test.each(['untracked', 'replaced'] as const)(
    'that is %s is polled once, and a late receipt settles it',
    async (status) => {
      expect(await looks(0, minuteMs, status)).toBe(1)
      answerWith(minedAt('0x5', '0x5'))
      const { see } = following(recordOf({ status }))
      expect(await see(100)).toMatchObject({ status: 'pending', block: 5 })
      answerWith(minedAt('0x5', '0x7'))
      expect(await see(1000)).toMatchObject({ status: 'confirmed', block: 5 })
    },
  )

  test('is confirmed by protected calls alone, however surely the everyday ones say so', async () => {
    answerWith(minedAt('0x5', '0x7'), 'thin')
    const { see } = following()
    expect(await see(2000)).toMatchObject({ status: 'pending', isThin: true })
    answerWith(minedAt('0x5', '0x7'), {})
    expect(await see(1000)).toMatchObject({ status: 'pending', isThin: false })
    answerWith(minedAt('0x5', '0x7'))
    expect(await see(1000)).toMatchObject({ status: 'confirmed', block: 5 })
  })

  test('that was confirmed and then reorganised away is pending again, within a minute of its block being final', async () => {
    answerWith(minedAt('0x5', '0x7'))
    const { see } = following()
    expect(await see(1000)).toMatchObject({ status: 'confirmed', isProvisional: true })
    const dropped = { eth_getTransactionReceipt: null, eth_blockNumber: '0x9' }
    answerWith({ ...dropped, eth_getBlockByNumber: { number: '0x4' } })
    expect(await see(2 * minuteMs)).toMatchObject({ status: 'confirmed' })
    answerWith({ ...dropped, eth_getBlockByNumber: { number: '0x5' } })
    expect(await see(minuteMs)).toMatchObject({ status: 'pending', block: null, isProvisional: false })
  })

  test('that is under way costs no protected call', async () => {
    answerWith(minedAt('0x5', '0x5'))
    expect(await following().see(5000)).toMatchObject({ status: 'pending', seen: 1 })
    const sent = vi.mocked(fetch).mock.calls.map(([, init]) => (init as unknown as Sent).headers[protect])
    expect(new Set(sent)).toEqual(new Set([undefined]))
  })

  test('is not polled any more after its owner has removed it', async () => {
    answerWith({ eth_getTransactionReceipt: null, eth_getTransactionByHash: null })
    const { transactions, see } = following()
    await see(500)
    transactions.change(recordOf().hash, { status: 'untracked' })
    vi.mocked(fetch).mockClear()
    await vi.advanceTimersByTimeAsync(minuteMs)
    expect(fetch).not.toHaveBeenCalled()
  })

  test('is read from its wallet until its owners have sent it, then only from the gateway', async () => {
    answerWith({})
    const record = recordOf({ sentAs: null, sentMs: Date.now() - 25 * 60 * minuteMs })
    const readWalletStatus = vi.fn(async () => ({}) as { sentAs?: `0x${string}` })
    const { see } = following(record, { readWalletStatus })
    expect(await see(minuteMs - 1)).toMatchObject({ sentAs: null, status: 'pending' })
    expect(readWalletStatus).toHaveBeenCalledTimes(4)
    const sentAs = `0x${'b'.repeat(64)}` as const
    readWalletStatus.mockResolvedValue({ sentAs })
    expect(await see(minuteMs)).toMatchObject({ sentAs })
    expect(readWalletStatus).toHaveBeenCalledTimes(5)
  })

  test('that its owners sent at once has the hash that the wallet returned', async () => {
    answerWith(minedAt('0x5', '0x7'))
    const record = await following(recordOf({ sentAs: null })).see(100)
    expect(record).toMatchObject({ sentAs: recordOf().hash, status: 'confirmed' })
  })

  const call = { to: recordOf().from, value: '0x0', data: '0x' } as const
  const other = { ...call, data: '0x12345678' } as const
  const asked = { reviewed: call, others: [other], since: { nonce: 7 } }
  const batch = recordOf({ sentAs: null, batchId: 'batch 7', ...asked })
  const { batchId, ...unanswered } = { ...batch, status: 'unanswered' } as const
  const [first, second] = [`0x${'b'.repeat(64)}`, `0x${'c'.repeat(64)}`] as const
  /** What becomes of several calls after a second of this wallet's words. */
  const batchAfter = async (status: WalletStatus, answers: Answers = {}) => {
    answerWith(answers)
    const { transactions, see } = following(batch, { readWalletStatus: async () => status })
    await see(1500)
    return transactions.all()
  }

  test('of several calls that the wallet dropped is not called failed, since nothing says that it was charged', async () => {
    expect(await batchAfter({ status: 'untracked' })).toMatchObject([{ status: 'untracked', sentAs: null }])
  })

  /** What used the nonce of the account: this, in block 5. */
  const usedBy = (change: object) => {
    const { from } = batch
    const transaction = { hash: first, from, to: from, value: '0x0', input: '0x', nonce: '0x7', ...change }
    return {
      eth_blockNumber: '0x5',
      eth_getTransactionBySenderAndNonce: { ...transaction, blockNumber: '0x5' },
      eth_getTransactionByHash: transaction,
    }
  }
  /** The calls in one transaction of the account to itself. */
  const foundByNonce = usedBy({ input: concat([batch.from, batch.from, other.data]) })

  test('that no node ever showed, and that the wallet sent again with another fee, is found by its nonce', async () => {
    const sent = recordOf({ reviewed: call, since: { nonce: 7 } })
    answerWith({ ...usedBy({ hash: second }), eth_getTransactionByHash: null })
    const record = await following(sent).see(500)
    expect(record).toMatchObject({ hash: sent.hash, sentAs: second, nonce: 7, status: 'pending' })
    expect(record && isSpedUp(record)).toBe(true)
  })

  test('of several calls is found by its nonce, whatever the wallet says', async () => {
    for (const status of [{ status: 'untracked' }, {}] as const)
      expect(await batchAfter(status, foundByNonce)).toMatchObject([{ status: 'pending', sentAs: first }])
  })

  test('of several calls is not lost when it is found by its nonce while the wallet answers', async () => {
    answerWith(foundByNonce)
    let answer = () => {}
    const readChain: typeof sources.readChain = async (chainId, calls) => {
      if (calls.some(({ method }) => method === 'eth_getTransactionBySenderAndNonce'))
        await new Promise<void>((resolve) => (answer = resolve))
      return sources.readChain(chainId, calls)
    }
    const { transactions, see } = following(unanswered, { readChain })
    await see(100)
    transactions.remove(() => true)
    transactions.add(batch)
    answer()
    await see(100)
    expect(transactions.all()).toMatchObject([{ hash: batch.hash, status: 'pending', batchId }])
  })

  test('of several calls that is found before the wallet answers has the id that it may answer with', async () => {
    answerWith(foundByNonce)
    const record = await following(unanswered).see(100)
    expect(record).toMatchObject({ hash: batch.hash, status: 'pending', sentAs: first })
    expect(record && isSpedUp(record)).toBe(false)
  })

  test('of several calls that the wallet sent one by one is followed as each of them', async () => {
    const records = await batchAfter({ hashes: [first, second] })
    expect(records).toMatchObject([
      { hash: batch.hash, sentAs: second, reviewed: other, description: 'Send 1 POL (2/2)' },
      { hash: first, sentAs: first, reviewed: call, description: 'Send 1 POL (1/2)' },
    ])
    expect(records.map(({ others }) => others)).toEqual([undefined, undefined])
  })
})
