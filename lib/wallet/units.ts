/** Named units and their decimal places. */
export const units = { wei: 0, kwei: 3, mwei: 6, gwei: 9, szabo: 12, finney: 15, ether: 18 } as const

export type Unit = keyof typeof units

export const decimalsDefault = 18

export type Amount =
  | { readonly value: bigint }
  | { readonly fault: 'empty' | 'shape' | 'ambiguous' | 'too-fine' | 'too-much' }

/** Largest value of a transaction. */
const valueMax = 2n ** 256n - 1n

// `1,000` is a thousand in some languages and one in others. An amount to be paid must not be guessed.
const ambiguous = { '.': /^[1-9]\d{0,2}(,\d{3})+$/, ',': /^[1-9]\d{0,2}(\.\d{3})+$/ } as const

export interface AmountOptions {
  readonly decimals?: number
  /** The decimal separator of the visitor's language. */
  readonly decimalMark?: keyof typeof ambiguous
}

/** Parses typed amounts such as `1.5` or `,5` into smallest units. Never rounds, never guesses. */
export function parseAmount(
  text: string,
  { decimals = decimalsDefault, decimalMark = '.' }: AmountOptions = {},
): Amount {
  const trimmed = text.trim()
  if (trimmed === '') return { fault: 'empty' }
  if (ambiguous[decimalMark].test(trimmed)) return { fault: 'ambiguous' }
  const clean = trimmed.replace(',', '.')
  const [, whole = '', fraction = ''] = /^(\d{0,78})(?:\.(\d{0,78}))?$/.exec(clean) ?? []
  if (whole === '' && fraction === '') return { fault: 'shape' }
  const fine = fraction.replace(/0+$/, '')
  if (fine.length > decimals) return { fault: 'too-fine' }
  const value = BigInt(whole + fine.padEnd(decimals, '0'))
  return value > valueMax ? { fault: 'too-much' } : { value }
}
