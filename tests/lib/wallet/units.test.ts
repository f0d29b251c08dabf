import fc from 'fast-check'
import { formatUnits } from 'viem'
import { describe, expect, test } from 'vitest'
import { parseAmount, units } from '#lib/wallet/units.ts'

describe('amounts', () => {
  test('the named units are those of the chain', () => {
    expect(units).toEqual({ wei: 0, kwei: 3, mwei: 6, gwei: 9, szabo: 12, finney: 15, ether: 18 })
  })

  test.each([
    ['1', 10n ** 18n],
    ['1.5', 15n * 10n ** 17n],
    ['0,5', 5n * 10n ** 17n],
    ['0,125', 125n * 10n ** 15n],
    ['1000', 10n ** 21n],
    ['.5', 5n * 10n ** 17n],
    ['5.', 5n * 10n ** 18n],
    [' 2 ', 2n * 10n ** 18n],
    ['0.000000000000000001', 1n],
    ['1.500000000000000000000000', 15n * 10n ** 17n],
  ])('%s ether', (text, value) => {
    expect(parseAmount(text)).toEqual({ value })
  })

  test.each([
    ['', 'empty'],
    ['  ', 'empty'],
    ['.', 'shape'],
    ['1e18', 'shape'],
    ['0x10', 'shape'],
    ['-1', 'shape'],
    ['1.2.3', 'shape'],
    ['１', 'shape'],
    ['1,000', 'ambiguous'],
    [' 12,500 ', 'ambiguous'],
    ['1,234,567', 'ambiguous'],
    ['0.0000000000000000001', 'too-fine'],
    [`1${'0'.repeat(77)}`, 'too-much'],
  ])('%j is refused as %s', (text, fault) => {
    expect(parseAmount(text)).toEqual({ fault })
  })

  test('only the other mark is ambiguous: the decimal mark of the page is followed by decimals', () => {
    expect(parseAmount('1.000', { decimalMark: ',' })).toEqual({ fault: 'ambiguous' })
    expect(parseAmount('1,000', { decimalMark: ',' })).toEqual({ value: 10n ** 18n })
    expect(parseAmount('1.000', { decimalMark: '.' })).toEqual({ value: 10n ** 18n })
    expect(parseAmount('1.5', { decimalMark: ',' })).toEqual({ value: 15n * 10n ** 17n })
  })

  test('a formatted amount parses to the same amount', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 200n }),
        fc.integer({ min: 0, max: 18 }),
        (value, decimals) => {
          expect(parseAmount(formatUnits(value, decimals), { decimals })).toEqual({ value })
        },
      ),
    )
  })
})
