import fc from 'fast-check'
import { formatUnits } from 'viem'
import { describe, expect, test } from 'vitest'
import { createFigures } from '#lib/page/format.ts'
import { parseAmount, units } from '#lib/wallet/units.ts'

describe('amounts', () => {
  test('the named units are those below the coin, as the form lists them: a draft restores no other', () => {
    expect(Object.keys(units)).toEqual(['gwei', 'wei'])
    expect(units).toEqual({ gwei: 9, wei: 0 })
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
    ['empty', ['', '  ']],
    ['shape', ['.', '1e18', '0x10', '-1', '1.2.3', '0.125.000', '10 00', '1,2345,678', '<0.0001']],
    ['too-fine', ['0.0000000000000000001']],
    ['too-much', [`1${'0'.repeat(77)}`]],
  ])('is refused as %s: %j', (fault, texts) => {
    for (const text of texts) expect(parseAmount(text), text).toEqual({ fault })
  })

  test.each([
    ['10002.9999', '.', ['10,002.9999', '10.002,9999', '10’002.9999']],
    ['10002.9999', ',', ['10.002,9999', '10\u202f002,9999']],
    ['10002', ',', ['10\u00a0002']],
    ['1234567', '.', ["1'234'567", '1,234,567', '1.234.567']],
    ['1234567.5', '.', ['12,34,567.5']],
    ['10002.5', '.', ['１０，００２．５', '١٠٬٠٠٢٫٥', '10,002.5 POL']],
    ['1234.5', '.', ['१,२३४.5']],
    ['1.5', '.', ['\u20661.5\u2069']],
    ['5', '.', ['pol 5']],
  ] as const)('is %s as it is written, with %s for decimals: %j', (plain, decimalMark, texts) => {
    for (const text of texts)
      expect(parseAmount(text, { decimalMark, symbol: 'POL' }), text).toEqual(parseAmount(plain))
  })

  test.each(['.', ','] as const)(
    'a balance of the page is an amount that it accepts, with %s for decimals',
    (decimal) => {
      const values = fc.bigInt({ min: 10n ** 12n, max: 10n ** 30n })
      const groups = fc.constantFrom(...(decimal === '.' ? [',', '’', ' '] : ['.', '\u202f', '\u00a0']))
      fc.assert(
        fc.property(values, groups, (value, group) => {
          const shown = createFigures({ group, decimal }).exact(value, 18)
          const read = parseAmount(`${shown} POL`, { decimalMark: decimal, symbol: 'POL' })
          expect([{ value }, expect.objectContaining({ fault: 'ambiguous' })]).toContainEqual(read)
          if (shown.includes(decimal)) expect(read).toEqual({ value })
        }),
      )
    },
  )

  test('a token whose symbol is a number takes no digit away', () => {
    expect(parseAmount('5000', { symbol: '000' })).toEqual(parseAmount('5000'))
    expect(parseAmount('5 000', { symbol: '000' })).toEqual(parseAmount('5000'))
    expect(parseAmount('5 USD₮0', { symbol: 'USD₮0' })).toEqual(parseAmount('5'))
  })

  test('only the other mark is ambiguous: the decimal mark of the page is followed by decimals', () => {
    const ambiguous = (mark: string, ...readings: string[]) => ({ fault: 'ambiguous', mark, readings })
    expect(parseAmount('1.000', { decimalMark: ',' })).toEqual(ambiguous('.', '1000', '1,000'))
    expect(parseAmount(' 12,500 ')).toEqual(ambiguous(',', '12500', '12.500'))
    expect(parseAmount('1,000', { decimalMark: ',' })).toEqual({ value: 10n ** 18n })
    expect(parseAmount('1.000', { decimalMark: '.' })).toEqual({ value: 10n ** 18n })
    expect(parseAmount('1.5', { decimalMark: ',' })).toEqual({ value: 15n * 10n ** 17n })
  })

  test('a formatted amount parses to the same amount', () => {
    const values = fc.bigInt({ min: 0n, max: 2n ** 200n })
    fc.assert(
      fc.property(values, fc.integer({ min: 0, max: 18 }), (value, decimals) => {
        expect(parseAmount(formatUnits(value, decimals), { decimals })).toEqual({ value })
      }),
    )
  })
})
