import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WaitingQuota } from '#lib/limits/waiting-quota.ts'

const mebibyte = 1 << 20

/** Takes the bytes of a reply as they arrive, then ends. Returns the maximum held by all. */
async function receive(replies: WaitingQuota, bytes: number, piece: number) {
  const lease = replies.open(bytes)
  let most = 0
  for (let at = 0; at < bytes; at += piece) {
    const room = lease.acquire(Math.min(piece, bytes - at))
    most = Math.max(most, replies.inUse())
    expect(await room).toBe(true)
    await turn()
  }
  lease.end()
  return most
}

test('a reply waits without free bytes and is granted when another reply ends', async () => {
  const replies = new WaitingQuota(100)
  const [one, two, three] = [replies.open(40), replies.open(40), replies.open(40)]
  expect([one.acquire(40), two.acquire(20)]).toEqual([true, true])
  // Above 60 the rest is reserved, so that one reply can always finish; reply three is the first to need it.
  expect(await three.acquire(40)).toBe(true)
  expect(replies.inUse()).toBe(100)
  const more = two.acquire(1)
  expect(more).not.toBe(true)
  one.end()
  three.end()
  expect(await more).toBe(true)
  two.end()
  expect(replies.inUse()).toBe(0)
})

test('an aborted reply stops waiting and frees its bytes', async () => {
  const replies = new WaitingQuota(100)
  const [one, two, three] = [replies.open(50), replies.open(50), replies.open(50)]
  expect([one.acquire(50), await two.acquire(50)]).toEqual([true, true])
  const waits = three.acquire(1)
  three.end()
  expect(await waits).toBe(false)
  expect(await three.acquire(1)).toBe(false)
  two.end()
  one.end()
  two.end()
  expect(replies.inUse()).toBe(0)
})

test.each([31, 32, 33, 60])(
  '%i replies of 8 MiB at once stay within 256 MiB, and all are read',
  async (count) => {
    const replies = new WaitingQuota()
    const received = Array.from({ length: count }, () => receive(replies, 8 * mebibyte, mebibyte))
    const most = Math.max(...(await Promise.all(received)))
    expect(most).toBeLessThanOrEqual(256 * mebibyte)
    expect(most).toBeGreaterThan(Math.min(count - 1, 30) * 8 * mebibyte)
    expect(replies.inUse()).toBe(0)
  },
)

test('bytes reserved for one reply are not given to smaller ones', async () => {
  const replies = new WaitingQuota(128)
  const others = [1, 2, 3].map(() => replies.open(20))
  for (const other of others) expect(other.acquire(20)).toBe(true)
  const large = replies.open(64)
  const small = replies.open(10)
  expect(await large.acquire(10)).toBe(true)
  expect(small.acquire(10)).not.toBe(true)
  expect(large.acquire(54)).toBe(true)
  expect(replies.inUse()).toBe(124)
})

/** The steps of one reply: it takes bytes, or is aborted. */
const reply = fc.record({
  bytesMax: fc.constantFrom(10, 25, 64),
  steps: fc.array(fc.record({ part: fc.integer({ min: 1, max: 30 }), isUnwanted: fc.nat(19) }), {
    maxLength: 12,
  }),
})

test('for any sequence of takes, all replies end and the quota is never exceeded', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(reply, { maxLength: 30 }), fc.scheduler(), async (lives, scheduler) => {
      const replies = new WaitingQuota(128)
      const ended = lives.map(async ({ bytesMax, steps }) => {
        const lease = replies.open(bytesMax)
        let own = 0
        for (const { part, isUnwanted } of steps) {
          await scheduler.schedule(Promise.resolve())
          const bytes = Math.min(part, bytesMax - own)
          const room = lease.acquire(bytes)
          if (isUnwanted === 0) break
          expect(await room).toBe(true)
          own += bytes
          expect(replies.inUse()).toBeLessThanOrEqual(128)
        }
        lease.end()
      })
      await scheduler.waitFor(Promise.all(ended))
      expect(replies.inUse()).toBe(0)
    }),
    { numRuns: 1000 },
  )
})
