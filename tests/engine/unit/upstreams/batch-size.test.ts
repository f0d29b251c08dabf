import { describe, expect, test } from 'vitest'
import { internalCall } from '../../../../rpc-proxy/upstreams/errors/error-pattern.ts'
import { virtualClock } from '../../../support/virtual-clock.ts'
import { errorOf, nodeServing } from '../../support/post-calls.ts'

const hourMs = 3_600_000
const fault = { body: errorOf(null, -32600, 'no batches') }

/** A node that accepts batches of `takes.calls` and answers after 10 ms; with 0 it never answers a batch. */
function nodeTaking(calls: number, batchCallsMax: number | 'auto' = 'auto') {
  const clock = virtualClock()
  const takes = { calls }
  const sizes: number[] = []
  let spent = 0
  const { send } = nodeServing(
    (sent, { isBatch, signal }) =>
      new Promise((resolve, reject) => {
        if (isBatch) sizes.push(sent.length)
        signal.addEventListener('abort', () => reject(new Error('gone')))
        if (isBatch && takes.calls === 0) return
        clock.after(10, () => resolve(isBatch && sent.length > takes.calls ? fault : {}))
      }),
    { clock, batchCallsMax, onMore: () => spent++ },
  )
  const call = { method: 'eth_getBalance', params: '[]', context: internalCall }
  const { signal } = new AbortController()
  return {
    clock,
    takes,
    sizes,
    spent: () => spent,
    /** Sends this many calls at once; returns the distinct kinds of their answers. */
    async ask(count: number) {
      const replies = Promise.all(Array.from({ length: count }, () => send(call, signal)))
      await clock.advance(50)
      return [...new Set((await replies).map(({ kind }) => kind))]
    },
  }
}

describe('a node whose batch size is learned', () => {
  test('is tried with two calls of our own, and only after calls that could have been batched', async () => {
    const node = nodeTaking(100)
    for (let turn = 0; turn < 3; turn++) expect(await node.ask(1)).toEqual(['result'])
    expect([node.sizes, node.spent()]).toEqual([[], 0])
    expect(await node.ask(5)).toEqual(['result'])
    expect([node.sizes, node.spent()]).toEqual([[2], 2])
  })

  test('gets twice as many calls as it has answered, up to 20', async () => {
    const node = nodeTaking(100)
    for (let turn = 0; turn < 6; turn++) expect(await node.ask(60)).toEqual(['result'])
    expect(node.sizes.slice(0, 2)).toEqual([2, 4])
    expect(Math.max(...node.sizes)).toBe(20)
    expect(node.sizes.slice(-3)).toEqual([20, 20, 20])
  })

  test('that refuses batches fails no call, and is tried again after an hour', async () => {
    const node = nodeTaking(1)
    for (let turn = 0; turn < 4; turn++) expect(await node.ask(5)).toEqual(['result'])
    await node.clock.advance(hourMs - 1000)
    expect(await node.ask(5)).toEqual(['result'])
    expect(node.sizes).toEqual([2])
    node.takes.calls = 100
    await node.clock.advance(1000)
    expect(await node.ask(5)).toEqual(['result'])
    expect(await node.ask(4)).toEqual(['result'])
    expect(node.sizes).toEqual([2, 2, 4])
  })

  test('that never answers a batch is aborted after 5 s, and delays no call', async () => {
    const node = nodeTaking(0)
    expect(await node.ask(5)).toEqual(['result'])
    await node.clock.advance(5000)
    expect(await node.ask(5)).toEqual(['result'])
    expect(node.sizes).toEqual([2])
  })

  test('that accepts few gets no larger batches for an hour', async () => {
    const node = nodeTaking(5)
    for (let turn = 0; turn < 5; turn++) expect(await node.ask(16)).toEqual(['result'])
    expect(node.sizes.filter((size) => size > 5)).toEqual([8, 8])
    const before = node.sizes.length
    await node.clock.advance(hourMs / 2)
    expect(await node.ask(16)).toEqual(['result'])
    expect(Math.max(...node.sizes.slice(before))).toBeLessThanOrEqual(5)
  })
})

test('a configured number is used without a trial', async () => {
  const node = nodeTaking(100, 8)
  expect(await node.ask(8)).toEqual(['result'])
  expect([node.sizes, node.spent()]).toEqual([[8], 0])
  const lone = nodeTaking(100, 1)
  expect(await lone.ask(8)).toEqual(['result'])
  expect([lone.sizes, lone.spent()]).toEqual([[], 0])
})
