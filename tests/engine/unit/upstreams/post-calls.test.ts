import { describe, expect, test } from 'vitest'
import { SendFault } from '#rpc-proxy'
import { systemClock } from '../../../../rpc-proxy/runtime/clock.ts'
import { internalCall } from '../../../../rpc-proxy/upstreams/errors/error-pattern.ts'
import type { NodeCall } from '../../../../rpc-proxy/upstreams/post-calls.ts'
import { errorOf, nodeServing, resultOf, type SentCall, type Serve } from '../../support/post-calls.ts'

const { signal } = new AbortController()
const answer = { kind: 'result', raw: '"0x1"' }
const eightOf = (reply: unknown) => Array.from({ length: 8 }, () => reply)
const call = (method = 'eth_getBalance'): NodeCall => ({
  method,
  params: '[]',
  context: { ...internalCall, executes: method === 'eth_call' },
})

test('a call that was aborted before its batch is sent is left out of it, and a batch of such calls is not sent', async () => {
  const sent: string[] = []
  const { send } = nodeServing((calls) => {
    sent.push(...calls.map(({ method }) => method))
    return {}
  })
  const replies = await Promise.all([send(call(), AbortSignal.abort()), send(call('eth_call'), signal)])
  const cancelled = { kind: 'fault', fault: 'cancelled' }
  expect(replies).toEqual([cancelled, answer])
  expect(await send(call(), AbortSignal.abort())).toEqual(cancelled)
  expect(sent).toEqual(['eth_call'])
})

test('calls that arrive before the next turn of the event loop share a batch, up to its size', async () => {
  const turns: (() => void)[] = []
  const { send, sizes } = nodeServing(
    (calls) => ({ body: `[${calls.map((each) => resultOf(each, `"0x${each.id}"`))}]` }),
    { batchCallsMax: 3, clock: { ...systemClock(), defer: (run) => turns.push(run) } },
  )
  const asked: Promise<unknown>[] = []
  for (let count = 0; count < 5; count++) {
    asked.push(send(call('eth_call'), signal))
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
    const { send } = nodeServing(([sent]) => ({ body: errorOf(sent!.id, -32000, message) }), {
      url: 'http://node.example/v2/SECRET-8f2c',
      headers: { authorization: 'Basic tok3n-9' },
    })
    expect((await send(call('eth_call'), signal)) as object).toEqual(
      unknown === undefined
        ? expect.not.objectContaining({ unknown: expect.anything() })
        : expect.objectContaining({ unknown }),
    )
  },
)

/** A node that answers batches so, the time, and the number of POSTs beyond the first. */
function batchesTo(serve: Serve) {
  const times = { nowMs: 0, more: 0 }
  const { send, sizes } = nodeServing((calls, post) => (post.isBatch ? serve(calls, post) : {}), {
    batchCallsMax: 8,
    clock: { ...systemClock(), now: () => times.nowMs },
    onMore: () => times.more++,
  })
  const askAll = (calls: readonly NodeCall[]) => Promise.all(calls.map((each) => send(each, signal)))
  const eight = (method?: string) => askAll(Array.from({ length: 8 }, () => call(method)))
  return { sizes, times, askAll, eight }
}

test('a single call is sent as an object, even to a node with batches', async () => {
  const { askAll, sizes } = batchesTo(() => ({ status: 400, body: 'no arrays here' }))
  expect(await askAll([call()])).toEqual([answer])
  expect(sizes).toEqual([1])
})

const whole = (code: number, message: string) => ({ body: errorOf(null, code, message) })

describe('a batch that a node refuses as too large', () => {
  test('is sent one by one, and no such batch is sent for ten minutes', async () => {
    const { eight, sizes, times } = batchesTo((calls) =>
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
  const ofDrpc = (calls: readonly SentCall[]) => ({
    body: `[${calls.map(({ id }) => errorOf(id, 31, drpc))}]`,
  })
  const bareDrpc = `{"message":"${drpc}","code":31}`
  const erigon = 'batch limit 4 exceeded'
  test.each<[string, number, Serve]>([
    [
      'geth: an array of one, with the first id',
      4,
      ([first]) => ({ body: `[${errorOf(first?.id ?? 0, -32600, 'batch too large')}]` }),
    ],
    ['erigon: an array of one without id', 4, () => ({ body: `[${errorOf(null, -32000, erigon)}]` })],
    ['erigon, bor: one object without id', 4, () => whole(-32000, erigon)],
    ['besu: one object', 4, () => whole(-32005, 'Number of requests in batch exceeds max batch size')],
    ['dRPC: whole members', 3, (calls) => ({ status: 500, ...ofDrpc(calls) })],
    ['dRPC: whole members under 200', 3, ofDrpc],
    ['dRPC: bare members', 3, (calls) => ({ status: 500, body: `[${calls.map(() => bareDrpc)}]` })],
    ['HTTP 413', 4, () => ({ status: 413, body: 'too large' })],
  ])('%s, fails no call, and is not sent again', async (_, callsMax, refuse) => {
    const { eight, sizes } = batchesTo((calls, post) => (calls.length > callsMax ? refuse(calls, post) : {}))
    for (let turn = 0; turn < 2; turn++) expect(await eight('eth_call')).toEqual(eightOf(answer))
    const batches = sizes.filter((size) => size > 1)
    expect([batches[0], Math.max(...batches.slice(1))]).toEqual([8, callsMax])
  })

  test('is not assumed when contract reverts have that text, in one call or in all', async () => {
    const reverted = ({ id }: SentCall) => errorOf(id, 3, 'execution reverted: batch too large')
    const { eight, sizes } = batchesTo((calls) => ({ body: `[${calls.map(reverted)}]` }))
    for (let turn = 0; turn < 2; turn++)
      expect(await eight('eth_call')).toEqual(eightOf({ kind: 'reverted', data: '0x' }))
    expect(sizes).toEqual([8, 8])
  })

  test('by an error without id is refused for the calls without a response alone', async () => {
    const { eight } = batchesTo((calls) => ({
      body: `[${resultOf(calls[0]!)},${errorOf(null, -32090, 'too many requests')}]`,
    }))
    const [first, ...others] = await eight('eth_call')
    expect(first).toEqual(answer)
    expect(new Set(others.map((each) => 'fault' in each && each.fault))).toEqual(new Set(['rate-limited']))
  })
})

describe('a neighbour in a batch', () => {
  const tooLarge = (id: number) => errorOf(id, -32003, 'response too large')
  const troubles: readonly (readonly [string, Serve])[] = [
    ['HTTP 500', () => ({ status: 500, body: '' })],
    ['HTTP 400 and a message', () => ({ status: 400, body: '{"error":"invalid request"}' })],
    ['an error that does not mention batches', () => whole(-32600, 'invalid request')],
    ['an error that would be a verdict on one call', () => whole(-32000, 'header not found')],
    ['a page', () => ({ body: '<html>' })],
    ['an empty array', () => ({ body: '[]' })],
    ['one reply of eight', (calls) => ({ body: `[${resultOf(calls[0]!)}]` })],
    ['an answer that is too large', (calls) => ({ body: `[${calls.map(({ id }) => tooLarge(id))}]` })],
  ]
  test.each(troubles)(
    'fails no other call: %s for the batch, and each call is answered alone',
    async (_, serve) => {
      const { eight, sizes, times } = batchesTo(serve)
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
    const { eight } = batchesTo(() => {
      throw new SendFault('too-large')
    })
    expect(await eight()).toEqual(eightOf(answer))
  })

  test.each([
    ['a lost connection', 'connection'],
    ['a redirect', 'redirect'],
  ] as const)('is not what is wrong with %s: nothing is asked again', async (_, fault) => {
    const { eight, sizes } = batchesTo(() => {
      throw new SendFault(fault)
    })
    expect(await eight()).toEqual(eightOf(expect.objectContaining({ kind: 'fault', fault })))
    expect(sizes).toEqual([8])
  })

  test('is not retried alone when the node rate-limits us', async () => {
    const { eight, sizes } = batchesTo(() => ({ status: 429, body: '' }))
    expect((await eight())[0]).toMatchObject({ kind: 'fault', fault: 'rate-limited' })
    expect(sizes).toEqual([8])
  })

  test('does not exist for transactions, for chosen work and for calls marked as alone', async () => {
    const { askAll, sizes } = batchesTo(() => ({}))
    const plain = call()
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
  const sent: [string | undefined, boolean][] = []
  const { send } = nodeServing(([first], { isBatch, idempotent }) => {
    sent.push([isBatch ? 'batch' : first?.method, idempotent])
    throw new SendFault('connection')
  })
  const read = call()
  const write = { ...call('eth_sendRawTransaction'), context: { ...read.context, sends: true } }
  await Promise.all(
    [write, read, read, { ...read, lane: 'single' as const }].map((each) => send(each, signal)),
  )
  expect(sent).toEqual([
    ['eth_sendRawTransaction', false],
    ['eth_getBalance', true],
    ['batch', true],
  ])
})

test('a byte order mark is ignored on both hosts, and so is a trailing newline', async () => {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const forms: ((text: string) => string | Uint8Array)[] = [
    (text) => `\ufeff${text}`,
    (text) => bytes(`\ufeff${text}`),
    (text) => `${text}\n`,
    (text) => bytes(`${text}\r\n`),
  ]
  for (const form of forms) {
    const { send } = nodeServing(([sent]) => ({ body: form(resultOf(sent!)) }))
    expect(await send(call(), signal)).toMatchObject(answer)
  }
})
