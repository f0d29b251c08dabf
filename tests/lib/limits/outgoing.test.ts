import { beforeEach, describe, expect, test, vi } from 'vitest'
import { toWeb } from '#lib/host/edge/host-web.ts'
import { unread } from '#lib/http.ts'
import { outgoingFloor } from '#lib/limits/host-limits.ts'
import { createOutgoing, partBytes } from '#lib/limits/outgoing.ts'
import { Quota } from '#lib/limits/quota.ts'

const caller = '203.0.113.1'
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))

/** Answers with this limit. */
function outgoing(shares = { perCallerMax: 1_000_000, max: 2_000_000 }) {
  const answers = new Quota(shares)
  let slow = 0
  const made = createOutgoing(answers, () => {
    slow += 1
  })
  return { outgoing: made, held: answers.inUse, slow: () => slow }
}

const answerOf = (bytes: number) => ({ status: 200, headers: {}, body: 'a'.repeat(bytes) })

describe('a long answer of a Next route', () => {
  test('holds its bytes until it has been read, and arrives whole', async () => {
    const { outgoing: way, held } = outgoing()
    const response = toWeb(answerOf(350_000), { outgoing: way, caller })
    expect(held()).toBe(350_000)
    expect(await response.text()).toBe('a'.repeat(350_000))
    expect([held(), vi.getTimerCount()]).toEqual([0, 0])
  })

  test('is cut when a part of it was not sent in time', async () => {
    const { outgoing: way, held, slow } = outgoing()
    const reader = toWeb(answerOf(350_000), { outgoing: way, caller }).body?.getReader()
    expect((await reader?.read())?.value).toHaveLength(partBytes)
    vi.advanceTimersByTime(outgoingFloor.ms)
    await expect(reader?.read()).rejects.toThrow('read too slowly')
    expect([held(), slow()]).toEqual([0, 1])
  })

  test('frees its bytes when its reader leaves', async () => {
    const { outgoing: way, held } = outgoing()
    await toWeb(answerOf(350_000), { outgoing: way, caller }).body?.cancel()
    expect(held()).toBe(0)
  })

  test('is refused, and not encoded, when its caller has too many unread, but not for another caller', async () => {
    const { outgoing: way } = outgoing()
    for (let count = 0; count < 2; count += 1) toWeb(answerOf(500_000), { outgoing: way, caller })
    const encode = vi.spyOn(TextEncoder.prototype, 'encode')
    const refused = toWeb(answerOf(500_000), { outgoing: way, caller })
    expect(encode.mock.calls.filter(([text = '']) => text.length >= 500_000)).toEqual([])
    expect([refused.status, await refused.text()]).toEqual([unread.status, unread.body])
    expect(toWeb(answerOf(500_000), { outgoing: way, caller: '203.0.113.2' }).status).toBe(200)
  })

  test('is cut when all together hold too much and it is the oldest', async () => {
    const { outgoing: way } = outgoing()
    const answers = ['1', '2', '3', '4', '5'].map((last) =>
      toWeb(answerOf(500_000), { outgoing: way, caller: `203.0.113.${last}` }),
    )
    await expect(answers[0]?.text()).rejects.toThrow('read too slowly')
    expect(await answers[1]?.text()).toHaveLength(500_000)
  })
})

test('a short answer fits into the kernel buffer and is not counted', () => {
  const { outgoing: way, held } = outgoing()
  way.acquire(16_384, caller, () => {})
  expect(held()).toBe(0)
  way.acquire(16_385, caller, () => {})
  expect(held()).toBe(16_385)
})
