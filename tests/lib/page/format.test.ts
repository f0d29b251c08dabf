import { describe, expect, test } from 'vitest'
import { createFigures, formatAddress, formatHash, formatName, numberMarks } from '#lib/page/format.ts'

describe('figures', () => {
  const { amount, exact, atMost, block, weight, split } = createFigures()

  test('of an address its first and last four characters are shown, of a hash the first ten and last eight', () => {
    expect(formatAddress('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')).toBe('0xf3…2266')
    expect(formatHash(`0x12345678${'0'.repeat(48)}abcdef01`)).toBe('0x12345678…abcdef01')
  })

  test('a name is cut after 24 characters', () => {
    expect(formatName('a'.repeat(24))).toBe('a'.repeat(24))
    expect(formatName('a'.repeat(25))).toBe(`${'a'.repeat(24)}…`)
    expect(formatName('𐐀'.repeat(24))).toBe('𐐀'.repeat(24))
    expect(formatName(`a${'𐐀'.repeat(24)}`)).toBe(`a${'𐐀'.repeat(23)}…`)
  })

  test.each([
    [0n, '0'],
    [10n ** 18n, '1'],
    [1234567n * 10n ** 18n, '1,234,567'],
    [1_999_999_999_999_999_999n, '1.999999'],
    [10n ** 12n, '0.000001'],
    [10n ** 12n - 1n, '<0.000001'],
    [1n, '<0.000001'],
  ])('%s is shown as %s, never rounded up and never as zero', (units, text) => {
    expect(amount(units, 18)).toBe(text)
    const { whole, fraction } = split(units, 18)
    expect(whole + fraction).toBe(text)
  })

  test.each([
    [0n, '0'],
    [1_000_000_999_999_999_999n, '1.000000999999999999'],
    [123_456n, '0.000000000000123456'],
    [1234n * 10n ** 18n, '1,234'],
  ])('when signing, %s is shown as %s, with all digits', (units, text) => {
    expect(exact(units, 18)).toBe(text)
  })

  test.each([
    [0n, '0'],
    [1n, '0.00000001'],
    [63_000_000_000_000n, '0.000063'],
    [1_500_063_000_000_000_001n, '1.50006301'],
    [999_999_999_999_999_999_999n, '1,000'],
  ])('as a maximum, %s is shown as %s, never less', (units, text) => {
    expect(atMost(units, 18)).toBe(text)
  })

  test('coins without decimals show none', () => {
    const shown = [amount, exact, atMost].map((format) => format(1234n, 0))
    expect(shown).toEqual(['1,234', '1,234', '1,234'])
  })

  test('block numbers are grouped like amounts, weights are short', () => {
    expect([block(12845221), weight(1.5), weight(2)]).toEqual(['12,845,221', '1.5', '2'])
  })
})

describe('the reader’s language', () => {
  const shown = 1_234_567n * 10n ** 18n + 5n * 10n ** 17n

  test.each([
    ['en-GB,en;q=0.9', '1,234,567.5'],
    ['de', '1.234.567,5'],
    ['fr-FR;q=1', '1\u202f234\u202f567,5'],
    // By default not grouped below ten thousand.
    ['es', '1.234.567,5'],
    // Native digits would not match the wallet.
    ['ar-EG', '1,234,567.5'],
  ])('%s formats as %s', (language, text) => {
    expect(createFigures(numberMarks(language)).amount(shown, 18)).toBe(text)
  })

  test('applies to block numbers and weights too', () => {
    const { block, weight } = createFigures(numberMarks('de'))
    expect([block(1234), weight(1.5)]).toEqual(['1.234', '1,5'])
  })

  test('is English when the browser names no known language', () => {
    for (const named of [null, '', '*', 'x', '!!', 'a-b-c-d', `en-${'x'.repeat(4000)}`, '<script>'])
      expect(numberMarks(named), String(named)).toEqual({ group: ',', decimal: '.' })
  })

  test('has its marks however many languages browsers named before', () => {
    for (let other = 0; other < 200; other++) numberMarks(`en-x-${other}`)
    expect(numberMarks('de')).toEqual({ group: '.', decimal: ',' })
  })
})
