import { expect, test } from 'vitest'
import { begin, extend, stepsOf } from '../../../../rpc-proxy/filters/filter-position.ts'

const block = (number: number) => ({ number, hash: `h${number}` })
const log = (number: number, data = '') => ({
  blockNumber: `0x${number.toString(16)}`,
  blockHash: `h${number}`,
  data,
})
const numbers = (steps: readonly { readonly number: number }[]) => steps.map(({ number }) => number)

test('a block 255 below the end is kept, one 256 below is dropped', () => {
  expect(numbers(extend(begin(block(10)), [], block(265)))).toEqual([10, 265])
  expect(numbers(extend(begin(block(10)), [], block(266)))).toEqual([266])
})

test('above 256 KiB the oldest logs are dropped, their blocks are kept', () => {
  const half = 'x'.repeat(131_072 - JSON.stringify([log(1)]).length)
  const kept = (extra: string) =>
    extend(begin(block(1)), stepsOf([log(2, half), log(3, half + extra)]), block(4)).map(
      ({ logs }) => logs.length,
    )
  // The empty lists of the first and the last block take two characters each.
  expect(kept('')).toEqual([0, 0, 1, 0])
  const fits = half.slice(4)
  const steps = stepsOf([log(2, fits), log(3, half)])
  expect(extend(begin(block(1)), steps, block(4)).map(({ logs }) => logs.length)).toEqual([0, 1, 1, 0])
})
