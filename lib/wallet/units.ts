import { formatUnits } from 'viem'
import type { NumberMarks } from '#lib/page/format.ts'
import { sendTexts } from '#lib/page/texts/send.ts'

/** Named units below the coin, the largest first, and their decimal places. */
export const units = { gwei: 9, wei: 0 } as const

export type Unit = keyof typeof units

export const decimalsDefault = 18

export type Amount =
  | { readonly value: bigint }
  | { readonly fault: 'empty' | 'shape' | 'too-fine' | 'too-much' }
  /** The mark, and the text as it reads with it for thousands and for decimals. */
  | { readonly fault: 'ambiguous'; readonly mark: string; readonly readings: readonly [string, string] }

/** Largest value of a transaction. */
const valueMax = 2n ** 256n - 1n

export interface AmountOptions {
  readonly decimals?: number
  /** Of the visitor's language. */
  readonly decimalMark?: NumberMarks['decimal']
  /** May stand before or after the amount. */
  readonly symbol?: string
}

/** An amount with all its digits, of which pages show some, as the visitor would type it. */
export function typedAmount(units: bigint, decimals: number, { decimal }: NumberMarks): string {
  return formatUnits(units, decimals).replace('.', decimal)
}

/**
 * Parses typed amounts such as `1.5`, `,5`, `10.002,99` or `10’002.99 POL` into smallest units. Never rounds, and never guesses: `1,000` is
 * a thousand in some languages and one in others.
 */
export function parseAmount(
  text: string,
  { decimals = decimalsDefault, decimalMark = '.', symbol = '' }: AmountOptions = {},
): Amount {
  const plain = withoutSymbol(withPlainMarks(text), symbol)
  if (plain === '') return { fault: 'empty' }
  const single = /^([1-9]\d{0,2})([.,])(\d{3})$/.exec(plain)
  if (single !== null && single[2] !== decimalMark) {
    const [, before = '', mark = '', after = ''] = single
    return { fault: 'ambiguous', mark, readings: [before + after, before + decimalMark + after] }
  }
  const [, whole = '', fraction = ''] = /^(\d{0,78})(?:[.,](\d{0,78}))?$/.exec(withoutGroups(plain)) ?? []
  if (whole === '' && fraction === '') return { fault: 'shape' }
  const fine = fraction.replace(/0+$/, '')
  if (fine.length > decimals) return { fault: 'too-fine' }
  const value = BigInt(whole + fine.padEnd(decimals, '0'))
  return value > valueMax ? { fault: 'too-much' } : { value }
}

/** In ASCII: digits of any script, Arabic and full-width marks, and one kind of space and of apostrophe. */
function withPlainMarks(text: string): string {
  return text
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu, '')
    .replace(/\p{Nd}/gu, digitOf)
    .replace(/[．٫]/g, '.')
    .replace(/[，٬]/g, ',')
    .replace(/[’‘＇]/g, "'")
    .replace(/\s+/g, ' ')
    .trim()
}

/** Unicode's decimal digits stand in runs from 0 to 9. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let first = code
  while (/^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) first -= 1
  return String((code - first) % 10)
}

/** A token chooses its own symbol: one that could be read as a part of the number stays. */
function withoutSymbol(text: string, symbol: string): string {
  const [lower, sign] = [text.toLowerCase(), symbol.toLowerCase()]
  if (/^[\p{L}\p{Sc}]/u.test(sign) && lower.endsWith(sign)) return text.slice(0, -sign.length).trim()
  if (/[\p{L}\p{Sc}]$/u.test(sign) && lower.startsWith(sign)) return text.slice(sign.length).trim()
  return text
}

/** Spaces and apostrophes mark no decimals, nor does a mark that comes twice or before another one. By threes, or by twos as in India. */
function withoutGroups(text: string): string {
  const [, whole = '', mark = '', rest = ''] =
    /^([1-9]\d{0,2}([ '.,])(?:\d{2,3}\2)*\d{3})((?!\2)[.,]\d*)?$/.exec(text) ?? []
  const digits = whole.replace(/\D/g, '')
  const isGrouped = mark === ' ' || mark === "'" || whole.length - digits.length > 1 || rest !== ''
  return whole !== '' && isGrouped ? digits + rest : text
}

/** Why a typed text is no amount. */
export function amountFaultText(amount: Exclude<Amount, { value: bigint }>): string {
  return amount.fault === 'ambiguous'
    ? sendTexts.ambiguous(amount.mark, amount.readings)
    : sendTexts.faults[amount.fault]
}
