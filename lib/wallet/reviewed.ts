import { type Hex, isHex } from 'viem'
import { isRecord } from '../parse-json.ts'
import type { SentCall } from './compare.ts'
import type { WalletCall } from './meaning.ts'

/** How a token writes its amounts. */
export interface TokenLabel {
  readonly symbol: string
  readonly decimals: number
}

/** The call that the visitor reviewed, as stored. */
export interface Reviewed {
  readonly to: `0x${string}`
  readonly value: `0x${string}`
  readonly data: `0x${string}`
  /** For a call of a token. */
  readonly token?: TokenLabel
  /** What the recipient gains by the simulation. */
  readonly gain?: `0x${string}`
}

/** What was included instead of what was reviewed: another call, or the same one with another effect. */
export type FoundTransaction =
  | ({ readonly kind: 'sent'; readonly isReverted: boolean } & SentCall)
  | {
      readonly kind: 'effect'
      readonly amount: `0x${string}`
      /** The index of the call, of several. */
      readonly call?: number
    }

export function callOf(from: `0x${string}`, { to, value, data }: Reviewed): WalletCall {
  return { from, to, value: BigInt(value), data }
}

/** What a browser has stored may be of another version. */
export function isReviewed(value: unknown): value is Reviewed {
  if (!isRecord(value) || !isAddress(value.to) || !isQuantity(value.value) || !isHex(value.data)) return false
  const { token, gain } = value
  return (token === undefined || isLabel(token)) && (gain === undefined || isQuantity(gain))
}

export function isFound(value: unknown): value is FoundTransaction {
  if (!isRecord(value)) return false
  if (value.kind === 'effect') return isQuantity(value.amount)
  const { kind, from, to, value: paid, data, isReverted } = value
  const isCall = isAddress(from) && (to === null || isAddress(to)) && isQuantity(paid) && isHex(data)
  return kind === 'sent' && isCall && typeof isReverted === 'boolean'
}

export function isLabel(value: unknown): value is TokenLabel {
  return (
    isRecord(value) &&
    typeof value.symbol === 'string' &&
    Number.isInteger(value.decimals) &&
    // A uint8. Padding an amount with more zeros could take all of the memory.
    Number(value.decimals) >= 0 &&
    Number(value.decimals) <= 255
  )
}

export function isAddress(value: unknown): value is Hex {
  return isHex(value) && value.length === 42
}

function isQuantity(value: unknown): boolean {
  return isHex(value) && value.length > 2
}
