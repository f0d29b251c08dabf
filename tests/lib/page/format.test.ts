import { describe, expect, test } from 'vitest'
import {
  formatAddress,
  formatAmount,
  formatAtMost,
  formatBlock,
  formatExact,
  formatName,
  formatWeight,
} from '#lib/page/format.ts'

describe('figures', () => {
  test('an address is its first four characters and its last four', () => {
    expect(formatAddress('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')).toBe('0xf3…2266')
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
    [1n, '<0.000001'],
  ])('%s is shown as %s, never rounded up', (units, text) => {
    expect(formatAmount(units, 18)).toBe(text)
  })

  test.each([
    [0n, '0'],
    [1_000_000_999_999_999_999n, '1.000000999999999999'],
    [123_456n, '0.000000000000123456'],
    [1234n * 10n ** 18n, '1,234'],
  ])('where %s is signed, it is shown as %s, to the last digit', (units, text) => {
    expect(formatExact(units, 18)).toBe(text)
  })

  test.each([
    [0n, '0'],
    [1n, '0.00000001'],
    [63_000_000_000_000n, '0.000063'],
    [1_500_063_000_000_000_001n, '1.50006301'],
    [999_999_999_999_999_999_999n, '1,000'],
  ])('where %s is the most, it is shown as %s, never less', (units, text) => {
    expect(formatAtMost(units, 18)).toBe(text)
  })

  test('coins without decimals have none', () => {
    expect(formatAmount(1234n, 0)).toBe('1,234')
    expect(formatExact(1234n, 0)).toBe('1,234')
    expect(formatAtMost(1234n, 0)).toBe('1,234')
  })

  test('blocks are grouped, weights are short', () => {
    expect(formatBlock(12845221)).toBe('12\u2009845\u2009221')
    expect(formatWeight(1.5)).toBe('1.5')
    expect(formatWeight(2)).toBe('2')
  })
})
