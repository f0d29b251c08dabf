import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { follow } from '#lib/wallet/follow.ts'
import { createTransactions } from '#lib/wallet/transactions.ts'
import { recordOf } from './record.ts'

const minuteMs = 60_000

/** How often an unreachable gateway is asked within this time about a transaction that was sent so long ago. */
async function looks({ agoMs, withinMs }: { agoMs: number; withinMs: number }): Promise<number> {
  const fetched = vi.fn(async () => Promise.reject(new TypeError('Failed to fetch')))
  vi.stubGlobal('fetch', fetched)
  const transactions = createTransactions(null)
  transactions.add(recordOf({ sentMs: Date.now() - agoMs }))
  const stop = follow(transactions, { gateway: 'https://gateway.example', askWallet: async () => ({}) })
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

  test('is asked of its wallet while its owners have not sent it, and of the gateway from then on', async () => {
    const fetched = vi.fn(async () => Promise.reject(new TypeError('Failed to fetch')))
    vi.stubGlobal('fetch', fetched)
    const transactions = createTransactions(null)
    transactions.add(recordOf({ sentAs: null }))
    const askWallet = vi.fn(async () => ({}) as { sentAs?: `0x${string}` })
    const stop = follow(transactions, { gateway: 'https://gateway.example', askWallet })
    await vi.advanceTimersByTimeAsync(2_500)
    expect([askWallet.mock.calls.length, fetched.mock.calls.length]).toEqual([3, 0])
    const sentAs = `0x${'b'.repeat(64)}` as const
    askWallet.mockResolvedValue({ sentAs })
    await vi.advanceTimersByTimeAsync(2_000)
    stop()
    expect(transactions.all()[0]).toMatchObject({ sentAs, status: 'pending' })
    expect([askWallet.mock.calls.length, fetched.mock.calls.length]).toEqual([4, 1])
  })
})
