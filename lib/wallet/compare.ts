import { type Hex, isHex } from 'viem'
import { toUnits } from '#lib/page/quantity.ts'
import { isRecord } from '../parse-json.ts'
import { isTopicOf } from '../token/event-topics.ts'
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

export function compareSent(sent: SentCall, ...calls: readonly [WalletCall, ...WalletCall[]]): Comparison {
  const [reviewed, ...others] = calls
  const isOwn = isSame(sent.from, reviewed.from)
  const isEqual =
    isSame(sent.to, reviewed.to) && BigInt(sent.value) === reviewed.value && isSame(sent.data, reviewed.data)
  if (isOwn && isEqual && others.length === 0) return 'same'
  const mayWrap = !isOwn || isSame(sent.to, reviewed.from)
  return mayWrap && wraps(sent, calls) ? 'wrapped' : 'different'
}

/**
 * Whether the calls are inside of the input, and in their order. Every wallet contract has a format of its own, but all name the
 * account and give recipient, value and data unchanged.
 */
function wraps(sent: SentCall, calls: readonly [WalletCall, ...WalletCall[]]): boolean {
  const text = `${sent.to ?? ''}${sent.data}`.toLowerCase()
  if (sent.data.length <= 2 || !text.includes(calls[0].from.slice(2).toLowerCase())) return false
  const data = placesOf(calls, 'data', text)
  if (data === null) return false
  // An approval has the next recipient in its data.
  const around = calls.length === 1 ? text : without(data, text)
  const recipients = placesOf(calls, 'to', around)
  const words = calls.map(({ value }) => value.toString(16).padStart(64, '0'))
  // Beside each recipient, or in a list of their own. One that pays nothing may have none.
  const hasList = around.includes(words.join(''))
  const isPaid = ({ end }: Place, index: number) =>
    calls[index]?.value === 0n || hasList || around.startsWith(words[index] ?? '', end)
  return recipients?.every(isPaid) === true
}

interface Place {
  readonly start: number
  readonly end: number
}

/** Where this part of each call is in the text, one after the other. */
function placesOf(calls: readonly WalletCall[], part: 'to' | 'data', text: string): readonly Place[] | null {
  let end = 0
  const places = calls.map((call) => {
    const digits = call[part].slice(2).toLowerCase()
    const start = text.indexOf(digits, end)
    end = start + digits.length
    return { start, end }
  })
  return places.some(({ start }) => start < 0) ? null : places
}

function without(places: readonly Place[], text: string): string {
  return places.reduce(
    (rest, { start, end }) => rest.slice(0, start) + '-'.repeat(end - start) + rest.slice(end),
    text,
  )
}

/** Of Safe, with its own hash, and of ERC-4337's EntryPoint, with account, and success as second word. */
const executionFailure = '0x23428b18acfb3ea64b08dc0c1d296ea9c09702c09083ca5272e64d115b687d23'
const userOperation = '0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f'

/** Safe's events of what its owners agreed on. */
export const executions = [
  '0x442e715f626346e8c54381002da614f62bee8d27386535b2521ec8540898556e',
  executionFailure,
]

/** Whether the events tell of a call that failed inside of a transaction that succeeded. */
export function failedInside(logs: readonly EventLog[], account: string): boolean {
  return logs.some(({ address, topics, data }) => {
    if (topics[0] === executionFailure) return isSame(address, account)
    if (topics[0] !== userOperation || !isTopicOf(topics[2], account)) return false
    return toUnits(`0x${data.slice(2 + 64, 2 + 128)}`) === 0n
  })
}

/** A transaction's own fields; null when it is not one. */
export function readSent(transaction: unknown): SentCall | null {
  if (!isRecord(transaction)) return null
  const { from, to, value, input = transaction.data } = transaction
  if (!isHex(from) || !(to === null || to === undefined || isHex(to))) return null
  if (toUnits(value) === null || !isHex(input)) return null
  return { from, to: to ?? null, value: value as Hex, data: input }
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

export function isSame(one: string | null, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase()
}
