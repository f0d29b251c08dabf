import type { Hex } from 'viem'
import { toUnits } from '#lib/page/quantity.ts'
import { isRecord } from '../parse-json.ts'
import type { EventLog } from './effect.ts'
import type { WalletCall } from './meaning.ts'

/** A transaction as a node shows it. */
export interface SentCall {
  readonly from: `0x${string}`
  /** Null for a new contract. */
  readonly to: `0x${string}` | null
  readonly value: Hex
  readonly data: Hex
}

/**
 * `same`: the reviewed call. `wrapped`: another account or the account's own code executes it, as with a Safe, a bundler
 * (ERC-4337) or a relayer. `different`: the wallet sent something else, or returned another hash.
 */
export type Comparison = 'same' | 'wrapped' | 'different'

export function compareSent(sent: SentCall, reviewed: WalletCall): Comparison {
  const isOwn = isSame(sent.from, reviewed.from)
  const isEqual =
    isSame(sent.to, reviewed.to) && BigInt(sent.value) === reviewed.value && isSame(sent.data, reviewed.data)
  if (isOwn && isEqual) return 'same'
  const mayWrap = !isOwn || isSame(sent.to, reviewed.from)
  return mayWrap && wraps(sent, reviewed) ? 'wrapped' : 'different'
}

/**
 * Whether the call is inside of the input. Every wallet contract has a format of its own, but all name the account and give
 * recipient, value and data unchanged.
 */
function wraps({ to, data }: SentCall, reviewed: WalletCall): boolean {
  const text = `${to ?? ''}${data}`.toLowerCase()
  const parts = [
    reviewed.from.slice(2),
    reviewed.to.slice(2),
    reviewed.data.slice(2),
    reviewed.value === 0n ? '' : reviewed.value.toString(16).padStart(64, '0'),
  ]
  return data.length > 2 && parts.every((part) => text.includes(part.toLowerCase()))
}

/** Of Safe, with its own hash, and of ERC-4337's EntryPoint, with account, and success as second word. */
const executionFailure = '0x23428b18acfb3ea64b08dc0c1d296ea9c09702c09083ca5272e64d115b687d23'
const userOperation = '0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f'

/** Whether the events tell of a call that failed inside of a transaction that succeeded. */
export function failedInside(logs: readonly EventLog[], account: string): boolean {
  const word = account.slice(2).toLowerCase().padStart(64, '0')
  return logs.some(({ address, topics, data }) => {
    if (topics[0] === executionFailure) return isSame(address, account)
    if (topics[0] !== userOperation || topics[2]?.toLowerCase() !== `0x${word}`) return false
    return toUnits(`0x${data.slice(2 + 64, 2 + 128)}`) === 0n
  })
}

/** A transaction's own fields; null when it is not one. */
export function readSent(transaction: unknown): SentCall | null {
  if (!isRecord(transaction)) return null
  const { from, to, value, input = transaction.data } = transaction
  if (!isHex(from) || !(to === null || to === undefined || isHex(to))) return null
  return toUnits(value) === null || !isHex(input)
    ? null
    : { from, to: to ?? null, value: value as Hex, data: input }
}

/** The logs of a receipt. Malformed ones are dropped. */
export function readLogs(receipt: unknown): readonly EventLog[] {
  const logs = isRecord(receipt) && Array.isArray(receipt.logs) ? receipt.logs : []
  return logs.filter(
    (log): log is EventLog =>
      isRecord(log) &&
      typeof log.address === 'string' &&
      typeof log.data === 'string' &&
      Array.isArray(log.topics),
  )
}

export function isHex(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x[0-9a-f]*$/i.test(value)
}

function isSame(one: string | null, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase()
}
