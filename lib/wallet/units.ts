/** Named units and their decimal places. */
export const units = { wei: 0, kwei: 3, mwei: 6, gwei: 9, szabo: 12, finney: 15, ether: 18 } as const

export type Unit = keyof typeof units

export const decimalsDefault = 18

export type Amount =
  | { readonly value: bigint }
  | { readonly fault: 'empty' | 'shape' | 'comma' | 'too-fine' | 'too-much' }

/** Most that a value of a transaction can be. */
const valueMax = 2n ** 256n - 1n

// `1,000` is a thousand to some, as this page writes it, and one to others: nobody may guess which, where it is paid.
const twoMeanings = /^[1-9]\d{0,2}(,\d{3})+$/

/** Reads what a person types, `1.5` or `,5`, as whole smallest units; never rounds, and never guesses. */
export function parseAmount(text: string, decimals: number = decimalsDefault): Amount {
  const trimmed = text.trim()
  if (trimmed === '') return { fault: 'empty' }
  if (twoMeanings.test(trimmed)) return { fault: 'comma' }
  const clean = trimmed.replace(',', '.')
  const [, whole = '', fraction = ''] = /^(\d{0,78})(?:\.(\d{0,78}))?$/.exec(clean) ?? []
  if (whole === '' && fraction === '') return { fault: 'shape' }
  const fine = fraction.replace(/0+$/, '')
  if (fine.length > decimals) return { fault: 'too-fine' }
  const value = BigInt(whole + fine.padEnd(decimals, '0'))
  return value > valueMax ? { fault: 'too-much' } : { value }
}
