import fc from 'fast-check'
import { formatUnits } from 'viem'
import { describe, expect, test } from 'vitest'
import { createFigures } from '#lib/page/format.ts'
import { parseAmount, units } from '#lib/wallet/units.ts'

describe('amounts', () => {
  test('the named units are those below the coin, as the form lists them: a draft restores no other', () => {
    expect(Object.entries(units)).toEqual([
      ['gwei', 9],
      ['wei', 0],
    ])
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
    ['0.125.000', 'shape'],
    ['10 00', 'shape'],
    ['1,2345,678', 'shape'],
    ['<0.0001', 'shape'],
    ['0.0000000000000000001', 'too-fine'],
    [`1${'0'.repeat(77)}`, 'too-much'],
  ])('%j is refused as %s', (text, fault) => {
    expect(parseAmount(text)).toEqual({ fault })
  })

  test.each([
    ['10,002.9999', '.', '10002.9999'],
    ['10.002,9999', ',', '10002.9999'],
    ['10.002,9999', '.', '10002.9999'],
    ['10\u202f002,9999', ',', '10002.9999'],
    ['10\u00a0002', ',', '10002'],
    ['10’002.9999', '.', '10002.9999'],
    ["1'234'567", '.', '1234567'],
    ['1,234,567', '.', '1234567'],
    ['1.234.567', '.', '1234567'],
    ['12,34,567.5', '.', '1234567.5'],
    ['１０，００２．５', '.', '10002.5'],
    ['١٠٬٠٠٢٫٥', '.', '10002.5'],
    ['१,२३४.५', '.', '1234.5'],
    ['\u20661.5\u2069', '.', '1.5'],
    ['10,002.5 POL', '.', '10002.5'],
    ['pol 5', '.', '5'],
  ] as const)('%j is read as it is written, with %s for decimals', (text, decimalMark, plain) => {
    expect(parseAmount(text, { decimalMark, symbol: 'POL' })).toEqual(parseAmount(plain))
  })

  test.each(['.', ','] as const)(
    'a balance of the page is an amount that it accepts, with %s for decimals',
    (decimal) => {
      fc.assert(
        fc.property(
          fc.bigInt({ min: 10n ** 12n, max: 10n ** 30n }),
          fc.constantFrom(...(decimal === '.' ? [',', '’', ' '] : ['.', '\u202f', '\u00a0'])),
          (value, group) => {
            const shown = createFigures({ group, decimal }).exact(value, 18)
            const read = parseAmount(`${shown} POL`, { decimalMark: decimal, symbol: 'POL' })
            expect([{ value }, expect.objectContaining({ fault: 'ambiguous' })]).toContainEqual(read)
            if (shown.includes(decimal)) expect(read).toEqual({ value })
          },
        ),
      )
    },
  )

  test('a token whose symbol is a number takes no digit away', () => {
    expect(parseAmount('5000', { symbol: '000' })).toEqual(parseAmount('5000'))
    expect(parseAmount('5 000', { symbol: '000' })).toEqual(parseAmount('5000'))
    expect(parseAmount('5 USD₮0', { symbol: 'USD₮0' })).toEqual(parseAmount('5'))
  })

  test('only the other mark is ambiguous: the decimal mark of the page is followed by decimals', () => {
    expect(parseAmount('1.000', { decimalMark: ',' })).toEqual({
      fault: 'ambiguous',
      mark: '.',
      readings: ['1000', '1,000'],
    })
    expect(parseAmount(' 12,500 ')).toEqual({ fault: 'ambiguous', mark: ',', readings: ['12500', '12.500'] })
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
