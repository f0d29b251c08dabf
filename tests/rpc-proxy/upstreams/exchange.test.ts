import { expect, test } from 'vitest'
import { systemClock } from '../../../rpc-proxy/clock.ts'
import { createExchange, type NodeCall } from '../../../rpc-proxy/upstreams/exchange.ts'

test('a call that was given up before its batch left does not go out with it', async () => {
  const bodies: string[] = []
  const exchange = createExchange(
    { url: 'http://node.example', headers: {}, batchCallsMax: 10, answerBytesMax: 1000 },
    {
      clock: systemClock(),
      async send({ body }) {
        bodies.push(body)
        const [{ id }] = JSON.parse(body)
        return { status: 200, retryAfter: null, body: `[{"jsonrpc":"2.0","id":${id},"result":"0x1"}]` }
      },
    },
  )
  const given = exchange(call('eth_getBalance'), AbortSignal.abort())
  const kept = exchange(call('eth_call'), new AbortController().signal)
  expect(await given).toEqual({ kind: 'fault', fault: 'cancelled' })
  expect(await kept).toEqual({ kind: 'answer', raw: '"0x1"' })
  expect(bodies).toHaveLength(1)
  expect(bodies[0]).not.toContain('eth_getBalance')
})

test('sends nothing when every call of a batch has been given up', async () => {
  const exchange = createExchange(
    { url: 'http://node.example', headers: {}, batchCallsMax: 10, answerBytesMax: 1000 },
    { clock: systemClock(), send: () => Promise.reject(new Error('nobody asked')) },
  )
  expect(await exchange(call('eth_call'), AbortSignal.abort())).toEqual({ kind: 'fault', fault: 'cancelled' })
})

test('calls of callers who have arrived by the host’s next turn travel together, up to the batch’s size', async () => {
  const turns: (() => void)[] = []
  const sizes: number[] = []
  const exchange = createExchange(
    { url: 'http://node.example', headers: {}, batchCallsMax: 3, answerBytesMax: 1000 },
    {
      clock: { ...systemClock(), soon: (run) => turns.push(run) },
      async send({ body }) {
        const calls: { id: number }[] = JSON.parse(body)
        sizes.push(calls.length)
        const replies = calls.map(({ id }) => ({ jsonrpc: '2.0', id, result: `0x${id}` }))
        return { status: 200, retryAfter: null, body: JSON.stringify(replies) }
      },
    },
  )
  const asked: Promise<unknown>[] = []
  for (let count = 0; count < 5; count++) {
    asked.push(exchange(call('eth_call'), new AbortController().signal))
    await Promise.resolve()
  }
  for (const run of turns) run()
  expect(await Promise.all(asked)).toEqual(
    [1, 2, 3, 4, 5].map((id) => ({ kind: 'answer', raw: `"0x${id}"` })),
  )
  expect(sizes).toEqual([3, 2])
})

test.each([
  [
    'one error object',
    {
      status: 200,
      body: '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batch limit 2 exceeded"}}',
    },
  ],
  ['HTTP 413', { status: 413, body: 'too large' }],
])(
  'a batch refused as too large by %s excuses the node, and no such batch is sent to it for ten minutes',
  async (_, no) => {
    const sizes: number[] = []
    let nowMs = 0
    const exchange = createExchange(
      { url: 'http://node.example', headers: {}, batchCallsMax: 8, answerBytesMax: 1000 },
      {
        clock: { ...systemClock(), now: () => nowMs },
        async send({ body }) {
          const calls: { id: number }[] = JSON.parse(body)
          sizes.push(calls.length)
          const replies = calls.map(({ id }) => ({ jsonrpc: '2.0', id, result: '0x1' }))
          return {
            retryAfter: null,
            ...(calls.length > 2 ? no : { status: 200, body: JSON.stringify(replies) }),
          }
        },
      },
    )
    const askAll = () =>
      Promise.all(Array.from({ length: 8 }, () => exchange(call('eth_call'), new AbortController().signal)))
    expect(new Set((await askAll()).map((reply) => JSON.stringify(reply)))).toEqual(
      new Set(['{"kind":"cannot","why":"batch"}']),
    )
    await askAll()
    expect(new Set((await askAll()).map(({ kind }) => kind))).toEqual(new Set(['answer']))
    expect(sizes).toEqual([8, 4, 4, 2, 2, 2, 2])
    nowMs = 599_999
    await askAll()
    expect(sizes.splice(0)).toEqual([8, 4, 4, 2, 2, 2, 2, 2, 2, 2, 2])
    nowMs = 600_000
    await askAll()
    expect(sizes).toEqual([8])
  },
)

function call(method: string): NodeCall {
  return {
    method,
    params: '[]',
    context: { executes: false, sends: false, gasGiven: false, ranges: false, chosen: false },
  } as NodeCall
}
