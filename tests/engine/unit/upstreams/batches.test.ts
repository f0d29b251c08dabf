import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../../rpc-proxy/runtime/clock.ts'
import { internalCall } from '../../../../rpc-proxy/upstreams/errors/error-pattern.ts'
import { PostCalls } from '../../../../rpc-proxy/upstreams/post-calls.ts'
import { inWords } from '../../corpus/errors.ts'

const error = (message: string, code = -32600) => `"error":{"code":${code},"message":"${message}"}`
const member = (id: number | null, message: string, code?: number) =>
  `{"jsonrpc":"2.0","id":${id},${error(message, code)}}`

/** Asks eight calls at once, twice; the node answers batches over its limit with `body`. */
async function sizesOf(
  callsMax: number,
  { status = 200, body }: { status?: number; body: (ids: readonly number[]) => string },
) {
  const sizes: number[] = []
  const { send: exchange } = new PostCalls(
    { url: 'http://node.example', headers: {}, batchCallsMax: 8, answerBytesMax: 1 << 20 },
    {
      clock: systemClock(),
      async send(request) {
        const calls: { id: number } | { id: number }[] = JSON.parse(request.body)
        if (!Array.isArray(calls))
          return {
            status: 200,
            retryAfter: null,
            body: JSON.stringify({ jsonrpc: '2.0', id: calls.id, result: '0x1' }),
          }
        const ids = calls.map(({ id }) => id)
        sizes.push(ids.length)
        if (ids.length > callsMax) return { status, retryAfter: null, body: body(ids) }
        const replies = ids.map((id) => ({ jsonrpc: '2.0', id, result: '0x1' }))
        return { status: 200, retryAfter: null, body: JSON.stringify(replies) }
      },
    },
  )
  const call = {
    method: 'eth_call',
    params: '[]',
    context: { ...internalCall, executes: true },
  }
  const askAll = async () => {
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => exchange(call, new AbortController().signal)),
    )
    return [...new Set(replies.map(inWords))]
  }
  return { first: await askAll(), second: await askAll(), sizes }
}

const drpc =
  'Batch of more than 3 requests are not allowed on free tier, to use this feature register paid account'

describe('a batch that a node refuses as too large', () => {
  test.each<[string, number, Parameters<typeof sizesOf>[1]]>([
    [
      'geth: an array of one, with the first id',
      4,
      { body: ([id]) => `[${member(id ?? 0, 'batch too large')}]` },
    ],
    [
      'erigon: an array of one without id',
      4,
      { body: () => `[${member(null, 'batch limit 4 exceeded', -32000)}]` },
    ],
    ['erigon, bor: one object without id', 4, { body: () => member(null, 'batch limit 4 exceeded', -32000) }],
    [
      'besu: one object',
      4,
      { body: () => member(null, 'Number of requests in batch exceeds max batch size', -32005) },
    ],
    ['dRPC: whole members', 3, { status: 500, body: (ids) => `[${ids.map((id) => member(id, drpc, 31))}]` }],
    ['dRPC: whole members under 200', 3, { body: (ids) => `[${ids.map((id) => member(id, drpc, 31))}]` }],
    [
      'dRPC: bare members',
      3,
      { status: 500, body: (ids) => `[${ids.map(() => `{"message":"${drpc}","code":31}`)}]` },
    ],
    ['HTTP 413', 4, { status: 413, body: () => 'too large' }],
  ])('%s, fails no call, and is not sent again', async (_, callsMax, refusal) => {
    const { first, second, sizes } = await sizesOf(callsMax, refusal)
    expect(first).toEqual(['result'])
    expect(second).toEqual(['result'])
    expect(sizes[0]).toBe(8)
    expect(Math.max(...sizes.slice(1))).toBe(callsMax)
  })

  test('is not assumed when contract reverts have that text, in one call or in all', async () => {
    const reverts = (ids: readonly number[]) =>
      `[${ids.map((id) => member(id, 'execution reverted: batch too large', 3))}]`
    const { first, sizes } = await sizesOf(0, { body: reverts })
    expect(first).toEqual(['revert 0x'])
    expect(sizes).toEqual([8, 8])
  })
})

test('an error without id applies to the calls of a batch without a response', async () => {
  const body = ([id]: readonly number[]) =>
    `[{"jsonrpc":"2.0","id":${id},"result":"0x1"},${member(null, 'too many requests', -32090)}]`
  const { first } = await sizesOf(0, { body })
  expect(first).toEqual(['result', 'fault:rate-limited'])
})
