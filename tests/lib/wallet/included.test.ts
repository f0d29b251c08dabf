import { type Hex, stringToHex } from 'viem'
import { expect, test, vi } from 'vitest'
import type { ReadCall } from '#lib/page/reading.ts'
import { type Included, movesMax, readIncluded } from '#lib/wallet/included.ts'
import { tokens } from '#site'
import { agreed, refused } from '../../support/readings.ts'
import { other } from './accounts.ts'
import { tokenEvent, word } from './event-words.ts'
import { recordOf } from './record.ts'

const tokenAt = (digit: number): Hex => `0x${`${digit}`.repeat(40)}`
const [listed] = tokens
if (listed === undefined) throw new Error('no token is listed')
const record = recordOf({ chainId: listed.chainId })
const own = record.from

const transfer = (address: Hex, from: Hex, to: Hex, amount: bigint) => ({
  ...tokenEvent('transfer', [from, to], amount),
  address,
})

/** Six decimals, and this symbol. */
const labelled = (symbol: string) => async (calls: readonly ReadCall[]) =>
  calls.map((_, index) => agreed(index % 2 === 0 ? word(6n) : stringToHex(symbol, { size: 32 })))
const labels = labelled('T')

const sent = { logs: [] as readonly unknown[], value: '0x0', from: own, to: other as Hex, status: '0x1' }

function read(change: Partial<typeof sent>, reads = labels) {
  const { logs, status, ...call } = { ...sent, ...change }
  const transaction = agreed({ ...call, input: '0x' })
  return readIncluded(record, { receipt: agreed({ status, logs }), transaction }, reads)
}

test('what was paid and what the events moved for the account, and nobody else, with its certificate', async () => {
  const logs = [
    transfer(tokenAt(1), own, other, 7n),
    transfer(tokenAt(2), other, own, 5n),
    transfer(tokenAt(2), own, other, 2n),
    transfer(tokenAt(3), other, tokenAt(4), 9n),
    transfer(tokenAt(4), own, own, 9n),
  ]
  const label = { symbol: 'T', decimals: 6 }
  expect(await read({ logs, value: '0x64' })).toEqual({
    certificateId: 'a',
    moves: [
      { token: null, isIn: false, amount: '0x64' },
      { token: tokenAt(1), isIn: false, amount: '0x7', label },
      { token: tokenAt(2), isIn: true, amount: '0x3', label },
    ],
  } satisfies Included)
})

test('an amount of a token that calls itself as a listed one is not written as one of that', async () => {
  const moves = await read({ logs: [transfer(tokenAt(1), other, own, 5n)] }, labelled(listed.symbol))
  expect(moves?.moves).toEqual([{ token: tokenAt(1), isIn: true, amount: '0x5' }])
})

test.each([
  ['reverted', { value: '0x64', status: '0x0' }],
  ['was sent by another account', { value: '0x64', from: other }],
  ['went to the account itself', { value: '0x64', to: own }],
] as const)('no coins are shown as sent where the transaction %s', async (_, transaction) => {
  expect((await read(transaction))?.moves).toEqual([])
})

test('an item of a collection has no amount, and a token that does not say how it counts has no label', async () => {
  const item = { ...transfer(tokenAt(1), own, other, 0n), data: '0x' }
  const logs = [{ ...item, topics: [...item.topics, word(1n)] }, transfer(tokenAt(2), own, other, 7n)]
  const silent = async (calls: readonly ReadCall[]) => calls.map(() => refused('silent'))
  expect((await read({ logs }, silent))?.moves).toEqual([{ token: tokenAt(2), isIn: false, amount: '0x7' }])
})

test('a transaction that moves more tokens than are shown has its first', async () => {
  const logs = Array.from({ length: movesMax + 1 }, (_, index) => transfer(tokenAt(index), own, other, 7n))
  expect((await read({ logs }))?.moves).toHaveLength(movesMax)
})

test('no invalid request is sent where there is no token to ask about', async () => {
  const reads = vi.fn(labels)
  const coin = { token: null, isIn: false, amount: '0x64' }
  expect((await read({ value: '0x64' }, reads))?.moves).toEqual([coin])
  expect(reads).not.toHaveBeenCalled()
})

test('nothing is kept of a receipt without agreement', async () => {
  const receipt = refused('disagree')
  expect(await readIncluded(record, { receipt, transaction: undefined }, labels)).toBeUndefined()
})
