import { describe, expect, test } from 'vitest'
import {
  accountSessionsMax,
  createMemoryStore,
  type Session,
  StoreUnavailable,
  sessionMsMax,
} from '#lib/sign-in/session-store.ts'
import { stranger, visitor } from './support.ts'

function setUp(limits?: { noncesMax: number; sessionsMax: number }) {
  const clock = { ms: 1_800_000_000_000 }
  const store = createMemoryStore(() => clock.ms, limits)
  const sessionOf = (id: string, more: Partial<Session> = {}): Session => ({
    id,
    address: visitor.address,
    chainId: 1,
    isContract: false,
    signedInMs: clock.ms,
    seenMs: clock.ms,
    ...more,
  })
  return { clock, store, sessionOf }
}

describe('a nonce', () => {
  test('never expires early: at the limit there is no sign-in', async () => {
    const { store, clock } = setUp({ noncesMax: 3, sessionsMax: 10 })
    for (const nonce of ['a', 'b', 'c']) expect(await store.consume(nonce, clock.ms + 1000)).toBe(true)
    await expect(store.consume('d', clock.ms + 1000)).rejects.toBeInstanceOf(StoreUnavailable)
    expect(await store.consume('a', clock.ms + 1000)).toBe(false)
    clock.ms += 1000
    expect(await store.consume('d', clock.ms + 1000)).toBe(true)
  })
})

describe('a session', () => {
  test('ends after a day, even in use', async () => {
    const { store, clock, sessionOf } = setUp()
    const session = sessionOf('a')
    await store.add(session)
    clock.ms += sessionMsMax - 1
    await store.touch({ ...session, seenMs: clock.ms })
    expect(await store.get('a')).not.toBe(null)
    clock.ms += 1
    expect(await store.get('a')).toBe(null)
  })

  test(`is dropped when its account has ${accountSessionsMax} and is the least recently used`, async () => {
    const { store, clock, sessionOf } = setUp()
    for (let count = 0; count < accountSessionsMax; count += 1) await store.add(sessionOf(`${count}`))
    clock.ms += 1
    await store.touch(sessionOf('0'))
    await store.add(sessionOf('new'))
    expect(await store.of(sessionOf('any'))).toHaveLength(accountSessionsMax)
    expect(await store.get('0')).not.toBe(null)
    expect(await store.get('1')).toBe(null)
  })

  test('is dropped when there are too many in total and it is the least recently used', async () => {
    const { store, clock, sessionOf } = setUp({ noncesMax: 10, sessionsMax: 2 })
    await store.add(sessionOf('a'))
    await store.add(sessionOf('b', { address: stranger.address }))
    clock.ms += 1
    await store.touch(sessionOf('a'))
    await store.add(sessionOf('c'))
    expect(await Promise.all(['a', 'b', 'c'].map(async (id) => (await store.get(id)) !== null))).toEqual([
      true,
      false,
      true,
    ])
  })
})
