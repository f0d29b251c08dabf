import { expect, test, vi } from 'vitest'
import type { Shape } from '../../../../rpc-proxy/wire/canonical.ts'
import { canonical, compose, readAs, textOf } from '../../../../rpc-proxy/wire/canonical.ts'
import { mergeAhead, readAhead } from '../../../../rpc-proxy/wire/read-ahead.ts'
import { blockAt, logAt, receiptAt } from '../../../support/scripted-chain.ts'

const logs = Array.from({ length: 100 }, (_, index) => ({
  ...logAt(1000, index),
  vendor: index,
})).toReversed()

async function inSlices(shape: Shape, value: unknown) {
  const pause = vi.fn(async () => {})
  const ahead = await readAhead(shape, value, { chainId: 1, slices: 10, pause })
  return { text: () => textOf(readAs(shape, value, 1, ahead)), pause, ahead }
}

test('slices yield to the event loop, and members are read once', async () => {
  const { pause, ahead } = await inSlices('logs', logs)
  expect(pause).toHaveBeenCalledTimes(11)
  expect(logs.every((log) => ahead.has(log))).toBe(true)
})

test.each([[null], [7], ['x'], [{}], [[{}]], [[...logs, null]], [{ length: 1 }]])(
  '%j for logs is refused like in a single pass',
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

const call = (index: number) => ({ status: '0x1', returnData: '0x', gasUsed: `0x${index}`, logs: [] })
const simulated = (vendor: object) => [
  {
    number: '0x1',
    timestamp: '0x1',
    gasLimit: '0x1',
    gasUsed: '0x1',
    calls: [1, 2, 3].map((index) => ({
      ...call(index),
      logs: index === 1 ? logs.slice(0, 2) : [],
      ...vendor,
    })),
  },
]
const receipts = [0, 1].map((index) => ({
  ...receiptAt(1000, { transactionIndex: `0x${index}` }),
  logs: logs.slice(index * 3, index * 3 + 3),
}))
const withTime = (log: object) => ({ ...log, blockTimestamp: '0x1' })

test.each<[Shape, unknown, unknown]>([
  ['logs', logs, logs.map(withTime).toReversed()],
  ['receipt', receipts[0], { ...receipts[0], logs: logs.slice(0, 3).map(withTime).toReversed() }],
  [
    'receipts',
    receipts,
    receipts.map((receipt) => ({ ...receipt, logs: receipt.logs.map(withTime), vendor: 1 })).toReversed(),
  ],
  ['block', blockAt(1000), { ...blockAt(1000), vendor: 1 }],
  ['simulation', simulated({}), simulated({ vendor: 1 })],
  ['quantity', '0x1', '0x01'],
])('%s in two forms are normalized in slices like in a single pass', async (shape, one, other) => {
  const pause = vi.fn(async () => {})
  const agrees = [() => true, () => false, (places: readonly number[]) => places.includes(1)]
  for (const agree of agrees) {
    const values = [one, other]
    const before = await mergeAhead(shape, values, { chainId: 1, agree, slices: 10, pause })
    const inOneGo = compose(shape, values, { agree, chainId: 1 })
    expect(compose(shape, values, { agree, chainId: 1, ...before })).toBe(inOneGo)
  }
  if (shape === 'logs') expect(pause).toHaveBeenCalledTimes(3 * 3 * 11)
})

test('logs merged in slices are not merged again', async () => {
  const values = [logs, logs.map(withTime)]
  const agree = vi.fn(() => true)
  const pause = async () => {}
  const before = await mergeAhead('logs', values, { chainId: 1, agree, slices: 10, pause })
  expect(agree).toHaveBeenCalled()
  agree.mockClear()
  compose('logs', values, { agree, chainId: 1, ...before })
  expect(agree).not.toHaveBeenCalled()
})

test.each<[Shape, unknown, number]>([
  ['logs', logs, 100],
  ['receipt', receipts[0], 2],
  ['receipts', receipts, 2],
  ['simulation', simulated({}), 2],
  ['block', { ...blockAt(1000), transactions: [`0x${'AB'.repeat(32)}`] }, 0],
  ['quantity', '0x10', 0],
  ['logs', [], 0],
])('%s read in slices, logs first, have the text that they have in one go', async (shape, value, read) => {
  const { ahead, text } = await inSlices(shape, value)
  expect(logs.slice(0, read).every((log) => ahead.has(log))).toBe(true)
  expect(text()).toBe(canonical(shape, value, 1))
})
