import { checksumAddress, isAddress } from 'viem'

/** The content of the look-up field. */
export type Typed =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'address'; readonly address: `0x${string}` }
  | { readonly kind: 'refused'; readonly text: string; readonly why: 'shape' | 'checksum' }

/** Parses a typed address. Mixed case must match the EIP-55 checksum. */
export function readTyped(value: string | readonly string[] | undefined): Typed {
  const text = (typeof value === 'string' ? value : (value?.[0] ?? '')).trim().slice(0, 128)
  if (text === '') return { kind: 'nothing' }
  if (!isAddress(text, { strict: false })) return { kind: 'refused', text, why: 'shape' }
  const digits = text.slice(2)
  const mixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  if (mixed && checksumAddress(text) !== text) return { kind: 'refused', text, why: 'checksum' }
  return { kind: 'address', address: checksumAddress(text.toLowerCase() as `0x${string}`) }
}
