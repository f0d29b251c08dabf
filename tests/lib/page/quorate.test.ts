import { createPublicClient } from 'viem'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { explain, protect, quorate } from '#lib/page/quorate.ts'
// Loaded before the clock is a virtual one.
import '#lib/page/viem-request.ts'
import { header } from '#rpc-proxy'

type Sent = { readonly method: string; readonly id: number }

const url = 'https://gateway.example/api/rpc/137'
const block = { method: 'eth_blockNumber', params: [] }
const balance = { method: 'eth_getBalance', params: [`0x${'1'.repeat(40)}`, 'latest'] }
const quorate137 = { operators: 2, dissenting: 0, operatorsTotal: 3, block: 100, answer: 'x1' }

/** A gateway that replies so to each call; records what it was sent. */
function serve(
  reply: (call: Sent) => object = ({ method }) => ({ result: method === 'eth_blockNumber' ? '0x64' : '0x5' }),
) {
  const posts: { readonly calls: number; readonly headers: Readonly<Record<string, string>> }[] = []
  vi.stubGlobal('fetch', async (_: string, { body, headers }: (typeof posts)[number] & { body: string }) => {
    const calls: readonly Sent[] = JSON.parse(body)
    posts.push({ calls: calls.length, headers })
    return Response.json(calls.map((call) => ({ id: call.id, quorate: quorate137, ...reply(call) })))
  })
  return posts
}

const connect = () => createPublicClient({ transport: quorate(url) })

beforeEach(() => void vi.useFakeTimers())

/** Lets the batch of this moment travel. */
async function settled<Value>(work: Promise<Value>): Promise<Value> {
  await vi.advanceTimersByTimeAsync(10)
  return work
}

describe('the transport quorate()', () => {
  test('asks for the evidence of every reply, by the headers of the engine', async () => {
    const posts = serve()
    expect([explain, protect]).toEqual([header.explain, header.protect])
    await settled(connect().getBlockNumber())
    expect(posts.map(({ headers }) => headers[explain])).toEqual(['1'])
  })

  test('sends what viem and `read` ask within ten milliseconds in one batch, and what comes later in another', async () => {
    const posts = serve()
    const client = connect()
    const first = Promise.all([client.getBlockNumber(), client.transport.read([block, balance])])
    await vi.advanceTimersByTimeAsync(9)
    expect(posts).toEqual([])
    const reading = { state: 'agreed', answer: 'x1' }
    expect(await settled(first)).toMatchObject([
      100n,
      [
        { ...reading, value: '0x64' },
        { ...reading, value: '0x5' },
      ],
    ])
    await settled(client.transport.read([balance]))
    expect(posts.map(({ calls }) => calls)).toEqual([3, 1])
  })

  test('reads before a signature are protected, in batches of their own and at once; no others are', async () => {
    const posts = serve()
    const { read, readProtected } = connect().transport
    await settled(Promise.all([read([block]), readProtected([block]), readProtected([balance])]))
    expect(posts.map(({ headers, calls }) => [headers[protect], calls])).toEqual([
      ['1', 1],
      ['1', 1],
      [undefined, 1],
    ])
  })

  test('gives viem the error of the call, with its code and data, and `read` the reason', async () => {
    const error = { code: -32010, data: { reason: 'disagree' } }
    serve(() => ({ error: { ...error, message: 'failed to meet quorum' } }))
    const client = connect()
    const failed = client.request({ method: 'eth_blockNumber' }).catch((cause) => cause)
    const readings = await settled(client.transport.read([block]))
    expect(readings).toMatchObject([{ state: 'refused', why: 'disagree' }])
    expect(await failed).toMatchObject({ ...error, details: 'failed to meet quorum' })
  })

  test('tries an unreachable gateway again for viem; `read` says so at once', async () => {
    const fetched = vi.fn(async () => Promise.reject(new TypeError('Failed to fetch')))
    vi.stubGlobal('fetch', fetched)
    const client = connect()
    const [reading] = await settled(client.transport.read([block]))
    expect(reading).toEqual({ state: 'refused', why: 'unreachable', answer: null })
    fetched.mockClear()
    const failed = client.getBlockNumber().catch(({ name }) => name)
    await vi.advanceTimersByTimeAsync(3000)
    expect(await failed).toBe('HttpRequestError')
    expect(fetched).toHaveBeenCalledTimes(4)
  })

  test('a batch has at most a thousand calls, and calls that read the same block are in one', async () => {
    const posts = serve()
    const { read } = connect().transport
    const many = (count: number) => Array.from({ length: count }, () => block)
    await settled(Promise.all([read(many(600)), read(many(600))]))
    expect(posts.map(({ calls }) => calls)).toEqual([600, 600])
  })
})

test('who takes its url from wagmi, as WalletConnect does, gets one with an origin', () => {
  vi.stubGlobal('location', { origin: 'https://app.example' })
  expect(quorate('/api/rpc/137')({ chain: undefined }).value?.url).toBe('https://app.example/api/rpc/137')
})
