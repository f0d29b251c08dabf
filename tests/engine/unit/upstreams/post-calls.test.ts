import { describe, expect, test } from 'vitest'
import { SendFault, type SendResponse } from '#rpc-proxy'
import { systemClock } from '../../../../rpc-proxy/runtime/clock.ts'
import { internalCall } from '../../../../rpc-proxy/upstreams/errors/error-pattern.ts'
import { type NodeCall, PostCalls } from '../../../../rpc-proxy/upstreams/post-calls.ts'

type Ports = ConstructorParameters<typeof PostCalls>[1]

/** The calls of a node that answers by `send`. */
const callsTo = (send: Ports['send'], node: object = {}, ports: Partial<Ports> = {}) =>
  new PostCalls(
    { url: 'http://node.example', headers: {}, batchCallsMax: 10, answerBytesMax: 1000, ...node },
    { clock: systemClock(), send, ...ports },
  ).send

test('a call that was aborted before its batch is sent is left out of it', async () => {
  const bodies: string[] = []
  const exchange = callsTo(async ({ body }) => {
    bodies.push(body)
    const { id } = JSON.parse(body)
    return { status: 200, retryAfter: null, body: `{"jsonrpc":"2.0","id":${id},"result":"0x1"}` }
  })
  const given = exchange(call('eth_getBalance'), AbortSignal.abort())
  const kept = exchange(call('eth_call'), new AbortController().signal)
  expect(await given).toEqual({ kind: 'fault', fault: 'cancelled' })
  expect(await kept).toEqual({ kind: 'result', raw: '"0x1"' })
  expect(bodies).toHaveLength(1)
  expect(bodies[0]).not.toContain('eth_getBalance')
})

test('sends nothing when every call of a batch was aborted', async () => {
  const exchange = callsTo(() => Promise.reject(new Error('unexpected send')))
  expect(await exchange(call('eth_call'), AbortSignal.abort())).toEqual({ kind: 'fault', fault: 'cancelled' })
})

test('calls that arrive before the next turn of the event loop share a batch, up to its size', async () => {
  const turns: (() => void)[] = []
  const sizes: number[] = []
  const answerAll: Ports['send'] = async ({ body }) => {
    const calls: { id: number }[] = JSON.parse(body)
    sizes.push(calls.length)
    const replies = calls.map(({ id }) => ({ jsonrpc: '2.0', id, result: `0x${id}` }))
    return { status: 200, retryAfter: null, body: JSON.stringify(replies) }
  }
  const clock: Ports['clock'] = { ...systemClock(), defer: (run) => turns.push(run) }
  const exchange = callsTo(answerAll, { batchCallsMax: 3 }, { clock })
  const asked: Promise<unknown>[] = []
  for (let count = 0; count < 5; count++) {
    asked.push(exchange(call('eth_call'), new AbortController().signal))
    await Promise.resolve()
  }
  for (const run of turns) run()
  expect(await Promise.all(asked)).toEqual(
    [1, 2, 3, 4, 5].map((id) => ({ kind: 'result', raw: `"0x${id}"` })),
  )
  expect(sizes).toEqual([3, 2])
})

test.each([
  ['in its address', 'disk full SECRET-8f2c', undefined],
  ['in a header', 'no plan for tok3n-9!', undefined],
  ['and words without it do', 'the node sleeps', { code: -32000, message: 'the node sleeps' }],
])(
  'unknown words of a node that repeat a short key never reach a caller: %s',
  async (_, message, unknown) => {
    const answering: Ports['send'] = async ({ body }) => {
      const { id } = JSON.parse(body)
      const reply = { jsonrpc: '2.0', id, error: { code: -32000, message } }
      return { status: 200, retryAfter: null, body: JSON.stringify(reply) }
    }
    const exchange = callsTo(answering, {
      url: 'http://node.example/v2/SECRET-8f2c',
      headers: { authorization: 'Basic tok3n-9' },
      batchCallsMax: 1,
    })
    expect((await exchange(call('eth_call'), new AbortController().signal)) as object).toEqual(
      unknown === undefined
        ? expect.not.objectContaining({ unknown: expect.anything() })
        : expect.objectContaining({ unknown }),
    )
  },
)

/** How a node answers the calls of one POST. */
type Serve = (calls: readonly { readonly id: number; readonly method: string }[]) => Partial<SendResponse>

const served = (calls: readonly { readonly id: number }[]): readonly string[] =>
  calls.map(({ id }) => `{"jsonrpc":"2.0","id":${id},"result":"0x1"}`)

/** An exchange with a node, the number of calls in each POST (a single object is 1), and the number of retries. */
function exchangeWith(serve: Serve) {
  const sizes: number[] = []
  const times = { nowMs: 0, more: 0 }
  const answerPost: Ports['send'] = async ({ body }) => {
    const parsed = JSON.parse(body)
    const calls = Array.isArray(parsed) ? parsed : [parsed]
    sizes.push(calls.length)
    const objects = served(calls)
    const all = Array.isArray(parsed) ? `[${objects.join()}]` : String(objects[0])
    return { status: 200, retryAfter: null, body: all, ...(Array.isArray(parsed) && serve(calls)) }
  }
  const clock: Ports['clock'] = { ...systemClock(), now: () => times.nowMs }
  const exchange = callsTo(answerPost, { batchCallsMax: 8 }, { clock, onMore: () => times.more++ })
  const askAll = (calls: readonly NodeCall[]) =>
    Promise.all(calls.map((each) => exchange(each, new AbortController().signal)))
  const eight = (method = 'eth_getBalance') => askAll(Array.from({ length: 8 }, () => call(method)))
  return { sizes, times, askAll, eight }
}

const answer = { kind: 'result', raw: '"0x1"' }
const eightOf = (reply: unknown) => Array.from({ length: 8 }, () => reply)

test('a single call is sent as an object, even to a node with batches', async () => {
  const { askAll, sizes } = exchangeWith(() => ({ status: 400, body: 'no arrays here' }))
  expect(await askAll([call('eth_getBalance')])).toEqual([answer])
  expect(sizes).toEqual([1])
})

const whole = (code: number, message: string) => ({
  body: JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }),
})

describe('a batch that a node refuses as too large', () => {
  test('is sent one by one, and no such batch is sent for ten minutes', async () => {
    const { eight, sizes, times } = exchangeWith((calls) =>
      calls.length > 2 ? whole(-32600, 'batch too large') : {},
    )
    const ones = [1, 1, 1, 1, 1, 1, 1, 1]
    expect(new Set((await eight()).map(({ kind }) => kind))).toEqual(new Set(['result']))
    expect(sizes.splice(0)).toEqual([8, ...ones])
    await eight()
    expect(sizes.splice(0)).toEqual([4, 4, ...ones])
    await eight()
    expect(sizes.splice(0)).toEqual([2, 2, 2, 2])
    times.nowMs = 599_999
    await eight()
    expect(sizes.splice(0)).toEqual([2, 2, 2, 2])
    times.nowMs = 600_000
    await eight()
    expect(sizes).toEqual([8, ...ones])
  })

  const drpc =
    'Batch of more than 3 requests are not allowed on free tier, to use this feature register paid account'
  const member = (id: number | null, code: number, message: string) =>
    `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":"${message}"}}`
  const ofDrpc: Serve = (calls) => ({ body: `[${calls.map(({ id }) => member(id, 31, drpc))}]` })
  const bareDrpc = `{"message":"${drpc}","code":31}`
  const erigon = 'batch limit 4 exceeded'
  test.each<[string, number, Serve]>([
    [
      'geth: an array of one, with the first id',
      4,
      ([first]) => ({ body: `[${member(first?.id ?? 0, -32600, 'batch too large')}]` }),
    ],
    ['erigon: an array of one without id', 4, () => ({ body: `[${member(null, -32000, erigon)}]` })],
    ['erigon, bor: one object without id', 4, () => whole(-32000, erigon)],
    ['besu: one object', 4, () => whole(-32005, 'Number of requests in batch exceeds max batch size')],
    ['dRPC: whole members', 3, (calls) => ({ status: 500, ...ofDrpc(calls) })],
    ['dRPC: whole members under 200', 3, ofDrpc],
    ['dRPC: bare members', 3, (calls) => ({ status: 500, body: `[${calls.map(() => bareDrpc)}]` })],
    ['HTTP 413', 4, () => ({ status: 413, body: 'too large' })],
  ])('%s, fails no call, and is not sent again', async (_, callsMax, refuse) => {
    const { eight, sizes } = exchangeWith((calls) => (calls.length > callsMax ? refuse(calls) : {}))
    for (let turn = 0; turn < 2; turn++) expect(await eight('eth_call')).toEqual(eightOf(answer))
    const batches = sizes.filter((size) => size > 1)
    expect([batches[0], Math.max(...batches.slice(1))]).toEqual([8, callsMax])
  })

  test('is not assumed when contract reverts have that text, in one call or in all', async () => {
    const { eight, sizes } = exchangeWith((calls) => ({
      body: `[${calls.map(({ id }) => member(id, 3, 'execution reverted: batch too large'))}]`,
    }))
    for (let turn = 0; turn < 2; turn++)
      expect(await eight('eth_call')).toEqual(eightOf({ kind: 'reverted', data: '0x' }))
    expect(sizes).toEqual([8, 8])
  })

  test('by an error without id is refused for the calls without a response alone', async () => {
    const { eight } = exchangeWith((calls) => ({
      body: `[${served(calls)[0]},${member(null, -32090, 'too many requests')}]`,
    }))
    const [first, ...others] = await eight('eth_call')
    expect(first).toEqual(answer)
    expect(new Set(others.map((each) => 'fault' in each && each.fault))).toEqual(new Set(['rate-limited']))
  })
})

describe('a neighbour in a batch', () => {
  const tooLarge = (id: number) =>
    `{"jsonrpc":"2.0","id":${id},"error":{"code":-32003,"message":"response too large"}}`
  const troubles: readonly (readonly [string, Serve])[] = [
    ['HTTP 500', () => ({ status: 500, body: '' })],
    ['HTTP 400 and a message', () => ({ status: 400, body: '{"error":"invalid request"}' })],
    ['an error that does not mention batches', () => whole(-32600, 'invalid request')],
    ['an error that would be a verdict on one call', () => whole(-32000, 'header not found')],
    ['a page', () => ({ body: '<html>' })],
    ['an empty array', () => ({ body: '[]' })],
    ['one reply of eight', (calls) => ({ body: `[${served(calls)[0]}]` })],
    ['an answer that is too large', (calls) => ({ body: `[${calls.map(({ id }) => tooLarge(id))}]` })],
  ]
  test.each(troubles)(
    'fails no other call: %s for the batch, and each call is answered alone',
    async (_, serve) => {
      const { eight, sizes, times } = exchangeWith(serve)
      expect(await eight()).toEqual(eightOf(answer))
      expect(sizes[0]).toBe(8)
      expect(times.more).toBe(sizes.length - 1)
      // Batches of that size have failed.
      sizes.length = 0
      await eight()
      expect(sizes[0]).toBe(4)
    },
  )

  test('fails no other call by an answer over the cap', async () => {
    const { eight } = exchangeWith(() => {
      throw new SendFault('too-large')
    })
    expect(await eight()).toEqual(eightOf(answer))
  })

  test.each([
    ['a lost connection', 'connection'],
    ['a redirect', 'redirect'],
  ] as const)('is not what is wrong with %s: nothing is asked again', async (_, fault) => {
    const { eight, sizes } = exchangeWith(() => {
      throw new SendFault(fault)
    })
    expect(await eight()).toEqual(eightOf(expect.objectContaining({ kind: 'fault', fault })))
    expect(sizes).toEqual([8])
  })

  test('is not retried alone when the node rate-limits us', async () => {
    const { eight, sizes } = exchangeWith(() => ({ status: 429, body: '' }))
    expect((await eight())[0]).toMatchObject({ kind: 'fault', fault: 'rate-limited' })
    expect(sizes).toEqual([8])
  })

  test('does not exist for transactions, for chosen work and for calls marked as alone', async () => {
    const { askAll, sizes } = exchangeWith(() => ({}))
    const plain = call('eth_getBalance')
    await askAll([
      { ...plain, context: { ...plain.context, sends: true } },
      { ...plain, context: { ...plain.context, callerControlled: true } },
      { ...plain, lane: 'single' },
      { ...plain, lane: 'head-poll' },
      plain,
      plain,
    ])
    expect(sizes.sort()).toEqual([1, 1, 1, 1, 2])
  })
})

test('the transport may retry a read or a batch of reads, but never a transaction', async () => {
  const sent: [string, boolean][] = []
  const exchange = callsTo(({ body, idempotent }) => {
    sent.push([JSON.parse(body).method ?? 'batch', idempotent])
    return Promise.reject(new SendFault('connection'))
  })
  const read = call('eth_getBalance')
  const write = { ...call('eth_sendRawTransaction'), context: { ...read.context, sends: true } }
  const { signal } = new AbortController()
  await Promise.all([
    exchange(write, signal),
    exchange(read, signal),
    exchange(read, signal),
    exchange({ ...read, lane: 'single' }, signal),
  ])
  expect(sent).toEqual([
    ['eth_sendRawTransaction', false],
    ['eth_getBalance', true],
    ['batch', true],
  ])
})

test('a byte order mark is ignored on both hosts, and so is a trailing newline', async () => {
  const bodies: (string | Uint8Array)[] = []
  const send = async () => ({ status: 200, retryAfter: null, body: bodies.shift() ?? '' })
  const exchange = callsTo(send, { batchCallsMax: 1 })
  const text = (id: number) => `{"jsonrpc":"2.0","id":${id},"result":"0x1"}`
  const bytes = (text: string) => new TextEncoder().encode(text)
  bodies.push(`\ufeff${text(1)}`, bytes(`\ufeff${text(2)}`), `${text(3)}\n`, bytes(`${text(4)}\r\n`))
  for (const _ of [...bodies])
    expect(await exchange(call('eth_getBalance'), new AbortController().signal)).toMatchObject(answer)
})

function call(method: string): NodeCall {
  return { method, params: '[]', context: { ...internalCall, executes: method === 'eth_call' } }
}
