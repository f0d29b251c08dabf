import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { follow } from '#lib/wallet/follow.ts'
import { createTransactions, type TransactionStatus } from '#lib/wallet/transactions.ts'
import { recordOf } from './record.ts'

const minuteMs = 60_000

const sources = { gateway: 'https://gateway.example', askWallet: async () => ({}) }

/** A gateway that answers these, and null otherwise. */
function answerWith(answers: Readonly<Record<string, unknown>>): void {
  vi.stubGlobal(
    'fetch',
    vi.fn(async (_: string, { body }: { body: string }) => {
      const asked = JSON.parse(body) as { id: number; method: string }[]
      return Response.json(
        asked.map(({ id, method }) => ({ jsonrpc: '2.0', id, result: answers[method] ?? null })),
      )
    }),
  )
}

/** How often an unreachable gateway is asked within this time about a transaction that was sent so long ago. */
async function looks({
  agoMs,
  withinMs,
  status = 'pending',
}: {
  agoMs: number
  withinMs: number
  status?: TransactionStatus
}): Promise<number> {
  const fetched = vi.fn(async () => Promise.reject(new TypeError('Failed to fetch')))
  vi.stubGlobal('fetch', fetched)
  const transactions = createTransactions(null)
  transactions.add(recordOf({ sentMs: Date.now() - agoMs, status }))
  const stop = follow(transactions, sources)
  await vi.advanceTimersByTimeAsync(withinMs)
  stop()
  return fetched.mock.calls.length
}

describe('a transaction that is followed', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  test('is looked at every second while it is new', async () => {
    expect(await looks({ agoMs: 0, withinMs: 9_500 })).toBe(10)
  })

  test('costs little in its first minute: several at once leave a visitor’s budget to the page', async () => {
    expect(await looks({ agoMs: 0, withinMs: minuteMs })).toBeLessThanOrEqual(30)
  })

  test('is looked at four times a minute when it is old, and it is never given up', async () => {
    expect(await looks({ agoMs: 24 * 60 * minuteMs, withinMs: minuteMs - 1 })).toBe(4)
  })

  test.each(['untracked', 'replaced'] as const)(
    'that is %s is looked at once, and a receipt that came late ends it',
    async (status) => {
      expect(await looks({ agoMs: 0, withinMs: minuteMs, status })).toBe(1)
      const transactions = createTransactions(null)
      transactions.add(recordOf({ status }))
      answerWith({ eth_getTransactionReceipt: { blockNumber: '0x5', status: '0x1' }, eth_blockNumber: '0x5' })
      const stop = follow(transactions, sources)
      await vi.advanceTimersByTimeAsync(0)
      expect(transactions.all()[0]).toMatchObject({ status: 'pending', block: 5 })
      answerWith({ eth_getTransactionReceipt: { blockNumber: '0x5', status: '0x1' }, eth_blockNumber: '0x7' })
      await vi.advanceTimersByTimeAsync(1000)
      stop()
      expect(transactions.all()[0]).toMatchObject({ status: 'confirmed', block: 5 })
    },
  )

  test('is not looked at any more once its owner has let go of it', async () => {
    answerWith({ eth_getTransactionReceipt: null, eth_getTransactionByHash: null })
    const transactions = createTransactions(null)
    transactions.add(recordOf())
    const stop = follow(transactions, sources)
    await vi.advanceTimersByTimeAsync(500)
    transactions.change(recordOf().hash, { status: 'untracked' })
    vi.mocked(fetch).mockClear()
    await vi.advanceTimersByTimeAsync(minuteMs)
    stop()
    expect(fetch).not.toHaveBeenCalled()
  })

  test('is asked of its wallet while its owners have not sent it, and of the gateway alone from then on', async () => {
    answerWith({})
    const transactions = createTransactions(null)
    transactions.add(recordOf({ sentAs: null, sentMs: Date.now() - 25 * 60 * minuteMs }))
    const askWallet = vi.fn(async () => ({}) as { sentAs?: `0x${string}` })
    const stop = follow(transactions, { ...sources, askWallet })
    await vi.advanceTimersByTimeAsync(minuteMs - 1)
    expect(askWallet).toHaveBeenCalledTimes(4)
    expect(transactions.all()[0]).toMatchObject({ sentAs: null, status: 'pending' })
    const sentAs = `0x${'b'.repeat(64)}` as const
    askWallet.mockResolvedValue({ sentAs })
    await vi.advanceTimersByTimeAsync(minuteMs)
    stop()
    expect(transactions.all()[0]).toMatchObject({ sentAs })
    expect(askWallet).toHaveBeenCalledTimes(5)
  })

  test('that its owners sent at once is known under the hash that the wallet returned', async () => {
    answerWith({ eth_getTransactionReceipt: { blockNumber: '0x5', status: '0x1' }, eth_blockNumber: '0x7' })
    const transactions = createTransactions(null)
    transactions.add(recordOf({ sentAs: null }))
    const stop = follow(transactions, sources)
    await vi.advanceTimersByTimeAsync(0)
    stop()
    expect(transactions.all()[0]).toMatchObject({ sentAs: recordOf().hash, status: 'confirmed' })
  })
})
