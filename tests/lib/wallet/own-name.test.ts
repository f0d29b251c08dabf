import { beforeEach, expect, test, vi } from 'vitest'
import { readOwnName } from '#lib/wallet/own-name.ts'
import { createQueries } from '#lib/wallet/query-cache.ts'
import { readVisitor } from '#lib/wallet/read-visitor.ts'
import { encodeVisitor } from '#lib/wallet/visitor.ts'
import { ownNameQuery } from '#wallet/use-own-name.ts'
import { other, own } from './accounts.ts'

const visitor = { address: own, chainId: 137, connectorId: 'io.metamask' } as const
const nowMs = 1_800_000_000_000
const inCookie = (cookie: string) => readVisitor(/quorate-wallet=([^;]*)/.exec(cookie)?.[1])

const answer = (body: unknown) => vi.stubGlobal('fetch', async () => Response.json(body))

beforeEach(() => {
  vi.useFakeTimers({ now: nowMs })
  vi.stubGlobal('location', { protocol: 'https:' })
  vi.stubGlobal('document', { cookie: `a=b; quorate-wallet=${encodeVisitor(visitor)}` })
})

test.each(['alice.eth', 'ünï-cödé_1.eth', '👨🎉.eth'])(
  'the name %s is in the cookie, so that the next page has it from the start',
  async (name) => {
    answer({ name })
    expect(await readOwnName(visitor.address, 137)).toBe(name)
    expect(inCookie(document.cookie)).toEqual({ ...visitor, name, nameReadMs: nowMs })
  },
)

const tooLong = [`${'a'.repeat(128)}.eth`, `${'名'.repeat(60)}.eth`]

test.each([null, 12, ...tooLong, '<b>.eth', 'a\u200db.eth'])(
  '%j is shown as no name, and not looked up again for a day',
  async (name) => {
    answer({ name })
    expect(await readOwnName(visitor.address, 137)).toBe('')
    expect(inCookie(document.cookie)).toEqual({ ...visitor, nameReadMs: nowMs })
  },
)

test('a cookie of another account, or of the same on another chain, stays as it is', async () => {
  answer({ name: 'alice.eth' })
  const before = document.cookie
  expect(await readOwnName(other, 137)).toBe('alice.eth')
  expect(await readOwnName(visitor.address, 1)).toBe('alice.eth')
  expect(document.cookie).toBe(before)
  vi.stubGlobal('document', { cookie: '' })
  await readOwnName(visitor.address, 137)
  expect(document.cookie).toBe('')
})

test.each([[{ why: 'disagree' }], [{ error: 'not found' }], [null]])(
  'after the answer %j nothing changes, and it is looked up with the next page',
  async (body) => {
    answer(body)
    const before = document.cookie
    await expect(readOwnName(visitor.address, 137)).rejects.toThrow('no name')
    expect(document.cookie).toBe(before)
  },
)

test.each([
  ['only three times if its resolver gives no usable result', 'resolver', 3],
  ['until there is one, if the nodes do not agree', 'disagree', 100],
])('a name is looked up %s', async (_, why, lookUps) => {
  let count = 0
  vi.stubGlobal('fetch', async () => Response.json(++count < 100 ? { why } : { name: 'alice.eth' }))
  const query = createQueries().fetchQuery(ownNameQuery(visitor.address, 137))
  const found = query.catch(() => null)
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(count).toBe(lookUps)
  expect(await found).toBe(why === 'resolver' ? null : 'alice.eth')
})
