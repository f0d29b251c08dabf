import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { follow } from '#lib/wallet/follow.ts'
import { createTransactions } from '#lib/wallet/transactions.ts'

const minuteMs = 60_000

/** How often an unreachable gateway is asked within this time about a transaction that was sent so long ago. */
async function looks({ agoMs, withinMs }: { agoMs: number; withinMs: number }): Promise<number> {
  const fetched = vi.fn(async () => Promise.reject(new TypeError('Failed to fetch')))
  vi.stubGlobal('fetch', fetched)
  const transactions = createTransactions(null)
  transactions.add({
    hash: `0x${'a'.repeat(64)}`,
    chainId: 137,
    from: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    description: 'Sent 1 POL',
    status: 'pending',
    confirmations: 3,
    seen: 0,
    block: null,
    nonce: null,
    sentMs: Date.now() - agoMs,
  })
  const stop = follow(transactions, 'https://gateway.example')
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
})
