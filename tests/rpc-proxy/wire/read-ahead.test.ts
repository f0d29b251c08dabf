import { expect, test } from 'vitest'
import { canonical, readAs, textOf } from '../../../rpc-proxy/wire/canonical.ts'
import { readAhead } from '../../../rpc-proxy/wire/read-ahead.ts'
import type { Shape } from '../../../rpc-proxy/wire/shapes.ts'
import { blockAt, logAt, receiptAt } from '../../support/scripted-chain.ts'

const logs = Array.from({ length: 100 }, (_, index) => ({
  ...logAt(1000, index),
  vendor: index,
})).toReversed()

async function inSlices(shape: Shape, value: unknown, slices = 10) {
  let pauses = 0
  const pause = async () => {
    pauses++
  }
  const ahead = await readAhead(shape, value, { chainId: 1, slices, pause })
  return { text: () => textOf(readAs(shape, value, 1, ahead)), pauses, ahead }
}

test.each([
  ['logs', logs],
  ['receipts', [receiptAt(1000), receiptAt(1001, { logs: logs.slice(0, 3) })]],
  ['block', { ...blockAt(1000), transactions: [`0x${'AB'.repeat(32)}`] }],
  ['quantity', '0x10'],
  ['logs', []],
] as const)('%s read in slices have the text that they have in one go', async (shape, value) => {
  const { text } = await inSlices(shape, value)
  expect(text()).toBe(canonical(shape, value, 1))
})

test('the event loop turns between slices, and members are read once', async () => {
  const { pauses, ahead } = await inSlices('logs', logs, 10)
  expect(pauses).toBe(11)
  expect(logs.every((log) => ahead.has(log))).toBe(true)
})

test.each([[null], [7], ['x'], [{}], [[{}]], [[...logs, null]], [{ length: 1 }]])(
  '%j for logs is refused as it is in one go',
  async (value) => {
    const { text } = await inSlices('logs', value)
    const [ahead, plain] = [text, () => textOf(readAs('logs', value, 1))].map((read) => {
      try {
        return read()
      } catch (error) {
        return String(error)
      }
    })
    expect(ahead).toBe(plain)
  },
)
