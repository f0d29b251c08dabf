import { checksumAddress, type Hex, maxUint160, maxUint256 } from 'viem'

/** What an account sends: with the chain and the fee, everything that a wallet signs. */
export interface WalletCall {
  readonly from: `0x${string}`
  readonly to: `0x${string}`
  /** In the smallest unit of the chain's currency. */
  readonly value: bigint
  readonly data: Hex
}

/** A call of an ERC-20 that moves tokens of the account, or lets a spender move them. */
export interface TokenMeaning {
  readonly kind: 'transfer' | 'approve'
  readonly token: `0x${string}`
  /** The recipient or the spender. */
  readonly party: `0x${string}`
  /** In the token's smallest units; `maxUint256` is unlimited. */
  readonly amount: bigint
}

/** What a call does, decoded from the bytes that are signed. */
export type Meaning =
  | { readonly kind: 'pay'; readonly party: `0x${string}`; readonly amount: bigint }
  | TokenMeaning
  | { readonly kind: 'call' }

/**
 * `transfer(address,uint256)` and `approve(address,uint256)`, with both words. Contracts ignore what follows. viem's decoder
 * would cost every page that follows a transaction more code than this.
 */
const tokenCall = /^0x(a9059cbb|095ea7b3)0{24}([0-9a-f]{40})([0-9a-f]{64})/i

export function decodeCall({ to, value, data }: Pick<WalletCall, 'to' | 'value' | 'data'>): Meaning {
  if (data === '0x') return { kind: 'pay', party: to, amount: value }
  const [, selector, party, amount] = tokenCall.exec(data) ?? []
  if (selector === undefined || value !== 0n) return { kind: 'call' }
  return {
    kind: selector.toLowerCase() === 'a9059cbb' ? 'transfer' : 'approve',
    token: to,
    party: checksumAddress(`0x${party}`),
    amount: BigInt(`0x${amount}`),
  }
}

/**
 * The same where it is known whether what is called is a token: `approve(address,uint256)` of a collection of items (ERC-721) has
 * the same bytes, and no decimals.
 */
export function meaningOf(
  call: Pick<WalletCall, 'to' | 'value' | 'data'> & { readonly token?: unknown },
): Meaning {
  const meaning = decodeCall(call)
  return isToken(meaning) && call.token === undefined ? { kind: 'call' } : meaning
}

export function isToken(meaning: Meaning): meaning is TokenMeaning {
  return meaning.kind === 'transfer' || meaning.kind === 'approve'
}

/** Whether an amount of tokens is all that there will ever be. Permit2 has amounts of 160 bits. */
export function isUnlimitedAmount(amount: bigint): boolean {
  return amount === maxUint256 || amount === maxUint160
}

/** Some tokens keep allowances in 96 bits and take the largest of them as unlimited. */
const unlimitedMin = 2n ** 96n - 1n

/** Whether an allowance of `actual` is what an approval of `asked` means. */
export function isSameAllowance(actual: bigint, requested: bigint): boolean {
  return actual === requested || (requested === maxUint256 && actual >= unlimitedMin)
}
