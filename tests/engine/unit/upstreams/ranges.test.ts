import { expect, test } from 'vitest'
import { classify } from '../../../../rpc-proxy/upstreams/classify.ts'
import { internalCall } from '../../../../rpc-proxy/upstreams/errors/error-pattern.ts'
import type { NodeCall, SendCall } from '../../../../rpc-proxy/upstreams/post-calls.ts'
import { LogRanges } from '../../../../rpc-proxy/upstreams/ranges.ts'
import type { Reply } from '../../../../rpc-proxy/wire/types.ts'

const context = { ...internalCall, ranges: true, callerControlled: true }
const logsOf = (from: number, to: number): NodeCall => ({
  method: 'eth_getLogs',
  params: JSON.stringify([
    { address: '0xaa', fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}` },
  ]),
  context,
})
const signal = new AbortController().signal

/** A node with one log per block and a maximum range, and another reply to some ranges. */
function nodeTaking(
  blocksMax: number,
  replyTo: (asked: string, length: number) => Reply | null = () => null,
) {
  const asked: string[] = []
  /** Settings that a test may change. */
  const world = { blocksMax, nowMs: 0 }
  const exchange: SendCall = async ({ params }) => {
    const [{ address, fromBlock, toBlock }] = JSON.parse(params)
    const [from, to] = [Number(fromBlock), Number(toBlock)]
    expect(address).toBe('0xaa')
    asked.push(`${from}-${to}`)
    const length = to - from + 1
    const reply = replyTo(`${from}-${to}`, length)
    if (reply !== null) return reply
    if (length > world.blocksMax) return { kind: 'unsupported', why: 'range' }
    const logs = Array.from({ length }, (_, index) => ({ blockNumber: from + index }))
    return { kind: 'result', raw: JSON.stringify(logs) }
  }
  return { asked, world, ask: new LogRanges(exchange, { now: () => world.nowMs }).send }
}
const failure: Reply = { kind: 'fault', fault: 'http' }

const blocksIn = (reply: Reply) =>
  reply.kind === 'result'
    ? JSON.parse(reply.raw).map(({ blockNumber }: { blockNumber: number }) => blockNumber)
    : reply

test('a range that is too long is split, asked in order, and the size is remembered', async () => {
  const node = nodeTaking(25)
  expect(blocksIn(await node.ask(logsOf(1, 100), signal))).toEqual(
    Array.from({ length: 100 }, (_, index) => index + 1),
  )
  node.asked.length = 0
  expect(blocksIn(await node.ask(logsOf(201, 250), signal))).toHaveLength(50)
  expect(node.asked).toEqual(['201-225', '226-250'])
})

test('the size is forgotten after a while', async () => {
  const node = nodeTaking(25)
  await node.ask(logsOf(1, 100), signal)
  node.asked.length = 0
  node.world.nowMs = 599_999
  await node.ask(logsOf(1, 50), signal)
  expect(node.asked).toEqual(['1-25', '26-50'])
  node.world.nowMs = 600_000
  node.world.blocksMax = 50
  node.asked.length = 0
  await node.ask(logsOf(1, 50), signal)
  expect(node.asked).toEqual(['1-50'])
})

test('a range with too many parts is tried whole once; if that is answered, the size is forgotten', async () => {
  const node = nodeTaking(1)
  await node.ask(logsOf(1, 4), signal)
  node.asked.length = 0
  expect(await node.ask(logsOf(1, 1000), signal)).toEqual({ kind: 'unsupported', why: 'range', takes: 127 })
  expect(node.asked).toEqual(['1-1000'])
  node.world.blocksMax = 1000
  expect(blocksIn(await node.ask(logsOf(1, 1000), signal))).toHaveLength(1000)
  node.asked.length = 0
  await node.ask(logsOf(1, 4), signal)
  expect(node.asked).toEqual(['1-4'])
})

test('a failed part is retried alone', async () => {
  let failures = 1
  const node = nodeTaking(50, (part) => (part === '51-100' && failures-- > 0 ? failure : null))
  expect(blocksIn(await node.ask(logsOf(1, 100), signal))).toHaveLength(100)
  expect(node.asked).toEqual(['1-100', '1-50', '51-100', '51-100'])
})

test('a part that keeps failing fails the whole range', async () => {
  const node = nodeTaking(50, (part) => (part === '51-100' ? failure : null))
  expect(await node.ask(logsOf(1, 100), signal)).toEqual(failure)
})

test('a range costs a node at most 128 asks', async () => {
  const narrow = nodeTaking(1)
  expect(await narrow.ask(logsOf(1, 200), signal)).toEqual({ kind: 'unsupported', why: 'range', takes: 100 })
  expect(narrow.asked.length).toBeLessThanOrEqual(128)
  narrow.asked.length = 0
  expect(blocksIn(await narrow.ask(logsOf(1, 100), signal))).toHaveLength(100)
})

test('a node that repeats the range beside its limit is asked by the limit, then and later', async () => {
  const { ask, asked } = nodeTaking(1000, (_, length) => {
    const message = `range ${length - 1} exceeds limit of 1000`
    return length > 1000 ? classify({ code: -32602, message, data: undefined }, context) : null
  })
  const parts = Array.from({ length: 10 }, (_, index) => `${index * 1000 + 1}-${index * 1000 + 1000}`)
  expect(blocksIn(await ask(logsOf(1, 10_000), signal))).toHaveLength(10_000)
  expect(asked.splice(0)).toEqual(['1-10000', ...parts])
  expect(blocksIn(await ask(logsOf(1, 10_000), signal))).toHaveLength(10_000)
  expect(asked).toEqual(parts)
})

test('a limit that is one block less than what was asked is a limit', async () => {
  const limit: Reply = { kind: 'unsupported', why: 'range', blocks: [1000] }
  const { ask, asked } = nodeTaking(1000, (_, length) => (length === 1001 ? limit : null))
  await ask(logsOf(1, 1001), signal)
  await ask(logsOf(1, 1000), signal)
  expect(asked.at(-1)).toBe('1-1000')
})
