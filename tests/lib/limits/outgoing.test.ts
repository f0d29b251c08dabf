import { beforeEach, describe, expect, test, vi } from 'vitest'
import { toWeb } from '#lib/host/edge/host-web.ts'
import { unread } from '#lib/http.ts'
import { outgoingFloor } from '#lib/limits/host-limits.ts'
import { createOutgoing, partBytes } from '#lib/limits/outgoing.ts'
import { Quota } from '#lib/limits/quota.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))

/** Answers with a limit, as Next routes give them. */
function outgoing() {
  const answers = new Quota({ perCallerMax: 1_000_000, max: 2_000_000 })
  const slow = vi.fn()
  const made = createOutgoing(answers, slow)
  const answer = (bytes: number, caller = '203.0.113.1') =>
    toWeb({ status: 200, headers: {}, body: 'a'.repeat(bytes) }, { outgoing: made, caller })
  return { answer, acquire: made.acquire, held: answers.inUse, slow }
}

describe('a long answer of a Next route', () => {
  test('holds its bytes until it has been read, and arrives whole', async () => {
    const { answer, held } = outgoing()
    const response = answer(350_000)
    expect(held()).toBe(350_000)
    expect(await response.text()).toBe('a'.repeat(350_000))
    expect([held(), vi.getTimerCount()]).toEqual([0, 0])
  })

  test('is cut when a part of it was not sent in time', async () => {
    const { answer, held, slow } = outgoing()
    const reader = answer(350_000).body?.getReader()
    expect((await reader?.read())?.value).toHaveLength(partBytes)
    vi.advanceTimersByTime(outgoingFloor.ms)
    await expect(reader?.read()).rejects.toThrow('read too slowly')
    expect(held()).toBe(0)
    expect(slow).toHaveBeenCalledTimes(1)
  })

  test('frees its bytes when its reader leaves', async () => {
    const { answer, held } = outgoing()
    await answer(350_000).body?.cancel()
    expect(held()).toBe(0)
  })

  test('is refused, and not encoded, when its caller has too many unread, but not for another caller', async () => {
    const { answer } = outgoing()
    for (let count = 0; count < 2; count += 1) answer(500_000)
    const encode = vi.spyOn(TextEncoder.prototype, 'encode')
    const refused = answer(500_000)
    expect(encode.mock.calls.filter(([text = '']) => text.length >= 500_000)).toEqual([])
    expect([refused.status, await refused.text()]).toEqual([unread.status, unread.body])
    expect(answer(500_000, '203.0.113.2').status).toBe(200)
  })

  test('is cut when all together hold too much and it is the oldest', async () => {
    const { answer } = outgoing()
    const answers = ['1', '2', '3', '4', '5'].map((last) => answer(500_000, `203.0.113.${last}`))
    await expect(answers[0]?.text()).rejects.toThrow('read too slowly')
    expect(await answers[1]?.text()).toHaveLength(500_000)
  })
})

test('a short answer fits into the kernel buffer and is not counted', () => {
  const { acquire, held } = outgoing()
  acquire(16_384, null, () => {})
  expect(held()).toBe(0)
  acquire(16_385, null, () => {})
  expect(held()).toBe(16_385)
})
