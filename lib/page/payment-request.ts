import { isAddress } from 'viem'
import type { addressTexts } from './texts/address.ts'

/** What stands in a text, before its checksum is looked at. */
export type TypedForm =
  | { readonly address: `0x${string}`; readonly chainId?: number; readonly value?: bigint }
  | { readonly why: keyof typeof addressTexts }

const form = /^ethereum:(?:pay-)?([^@/?]+)(?:@(\d{1,15}))?(?:\/([^?]*))?(?:\?(.*))?$/i
const valueMax = 2n ** 256n - 1n

/** A payment request of EIP-681: `ethereum:0x…@137?value=1e18`. Fees are left to the wallet. */
export function readPaymentRequest(text: string): TypedForm {
  const [, target = '', chain, call, query = ''] = form.exec(text) ?? []
  const address = target.replace(/^0X/, '0x')
  if (/\.[a-z]+$/i.test(target)) return { why: 'name' }
  if (!isAddress(address, { strict: false })) return { why: 'shape' }
  if (call) return { why: call === 'transfer' ? 'token-request' : 'request' }
  const amount = new URLSearchParams(query).get('value')
  const value = amount === null ? undefined : readNumber(amount)
  if (value === null) return { why: 'request' }
  return {
    address,
    ...(chain !== undefined && { chainId: Number(chain) }),
    ...(value !== undefined && { value }),
  }
}

/** The request for an amount of the chain's coin, in its smallest unit; without one for any amount. */
export function writePaymentRequest({
  address,
  chainId,
  value,
}: {
  readonly address: `0x${string}`
  readonly chainId: number
  readonly value?: bigint
}): string {
  return `ethereum:${address}@${chainId}${value ? `?value=${value}` : ''}`
}

/** A number of EIP-681: `2.014e18`. Null for a fraction of the smallest unit, and for what no transaction can carry. */
function readNumber(text: string): bigint | null {
  const [, whole, fraction = '', exponent = '0'] =
    /^\+?(\d{1,78})(?:\.(\d{1,78}))?(?:e(\d{1,2}))?$/i.exec(text) ?? []
  if (whole === undefined) return null
  const digits = whole + fraction.replace(/0+$/, '')
  const zeros = Number(exponent) - (digits.length - whole.length)
  if (zeros < 0) return null
  const value = BigInt(digits) * 10n ** BigInt(zeros)
  return value > valueMax ? null : value
}
