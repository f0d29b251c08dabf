import type { Hex } from 'viem'
import { toHex, toUnits } from '#lib/page/quantity.ts'
import { agreedValue, type ReadCall, type Reading } from '#lib/page/reading.ts'
import { isRecord } from '../parse-json.ts'
import { eventTopics, isTopicOf, wordOf } from '../token/event-topics.ts'
import { decodeCall, isSameAllowance, isToken, type TokenMeaning, type WalletCall } from './meaning.ts'

/** The token's own figures before and after a call: the balances of sender and recipient, or the allowance. */
export interface Effect {
  readonly before: readonly bigint[]
  readonly after: readonly bigint[]
}

export interface TokenRead {
  readonly to: `0x${string}`
  readonly data: Hex
}

/** The part of a log that is read. */
export interface EventLog {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

/** A token may round what it moves, in the last digits of a large amount. */
const roundingShare = 1_000_000n

/** Whether an amount is the expected one, or what a token that rounds made of it. */
export function isRounded(amount: bigint, expected: bigint): boolean {
  const apart = amount > expected ? amount - expected : expected - amount
  return apart <= expected / roundingShare
}

/** The calls that read the figures of an effect, in its order. */
export function effectReads({ kind, token, party }: TokenMeaning, from: `0x${string}`): readonly TokenRead[] {
  if (kind === 'approve') return [readOf.allowance(token, from, party)]
  return [from, party].map((owner) => readOf.balance(token, owner))
}

/** Calls of `allowance(address,address)` and `balanceOf(address)`. */
export const readOf = {
  allowance: (token: `0x${string}`, owner: string, spender: string): TokenRead => ({
    to: token,
    data: `0xdd62ed3e${wordOf(owner)}${wordOf(spender)}`,
  }),
  balance: (token: `0x${string}`, owner: string): TokenRead => ({
    to: token,
    data: `0x70a08231${wordOf(owner)}`,
  }),
}

/** Runs a call between two reads of the figures that it changes; null for a call that changes none. */
export function simulateQuestion(call: WalletCall): ReadCall | null {
  const meaning = decodeCall(call)
  if (!isToken(meaning)) return null
  const reads = effectReads(meaning, call.from)
  const calls = [...reads, { from: call.from, to: call.to, data: call.data }, ...reads]
  return { method: 'eth_simulateV1', params: [{ blockStateCalls: [{ calls }] }, 'latest'] }
}

export type Simulated = Readonly<Record<string, unknown>>

/** What each call of a simulation did; none without an agreed one. */
export function simulatedCalls(reading: Reading | undefined): readonly Simulated[] {
  const blocks = agreedValue(reading)
  const [block] = Array.isArray(blocks) ? (blocks as readonly unknown[]) : []
  return isRecord(block) && Array.isArray(block.calls) ? block.calls.filter(isRecord) : []
}

/** The effect that a simulation showed; null without an agreed one. Not every node can simulate. */
export function readSimulation(reading: Reading | undefined): Effect | null {
  const calls = simulatedCalls(reading)
  if (calls.length < 3 || calls.some(({ status }) => status !== '0x1')) return null
  const reads = (calls.length - 1) / 2
  return effectOf(
    calls.slice(0, reads).map(({ returnData }) => returnData),
    calls.slice(reads + 1).map(({ returnData }) => returnData),
  )
}

/** The figures of the blocks before and at `block`. */
export function effectQuestions(
  meaning: TokenMeaning,
  from: `0x${string}`,
  block: number,
): readonly ReadCall[] {
  return [block - 1, block].flatMap((number) =>
    effectReads(meaning, from).map((read) => ({
      method: 'eth_call',
      params: [read, toHex(number)],
    })),
  )
}

/** Decodes the answers to `effectQuestions`. */
export function readEffect(readings: readonly Reading[]): Effect | null {
  const values = readings.map(agreedValue)
  const reads = values.length / 2
  return effectOf(values.slice(0, reads), values.slice(reads))
}

/** What the recipient gained, or what the spender may take. */
export function amountOf({ kind }: TokenMeaning, { before, after }: Effect): bigint {
  if (kind === 'approve') return after[0] ?? 0n
  return (after[1] ?? 0n) - (before[1] ?? 0n)
}

/**
 * What a mined call did, from its events and the token's figures; `expected` where both agree with it. An event alone proves
 * nothing when no figure has changed, and an early token has no events at all.
 */
export function settleEffect(
  { meaning, from, expected, isOneOfSeveral }: Expected,
  logs: readonly EventLog[],
  effect: Effect | null,
): bigint {
  const isApproval = meaning.kind === 'approve'
  const isExpected = (amount: bigint) =>
    isApproval ? isSameAllowance(amount, expected) : isRounded(amount, expected)
  const logged = loggedBy(logs, meaning, from)
  if (isOneOfSeveral && logged.some(isExpected)) return expected
  const isToSelf = meaning.party.toLowerCase() === from.toLowerCase()
  const found = isApproval
    ? amountAllowed(logged, effect, isExpected)
    : amountMoved(logged, effect, { isToSelf })
  return isExpected(found) ? expected : found
}

interface Expected {
  readonly meaning: TokenMeaning
  readonly from: `0x${string}`
  readonly expected: bigint
  /** Calls after it may use what it did. */
  readonly isOneOfSeveral?: boolean
}

function amountAllowed(
  logged: readonly bigint[],
  effect: Effect | null,
  isExpected: (amount: bigint) => boolean,
): bigint {
  const actual = effect?.after[0]
  const last = logged.at(-1)
  if (actual === undefined || last === undefined) return actual ?? last ?? 0n
  // The spender may have used some of it in the same block.
  return isExpected(last) && actual !== effect?.before[0] ? last : actual
}

function amountMoved(
  logged: readonly bigint[],
  effect: Effect | null,
  { isToSelf }: { readonly isToSelf: boolean },
): bigint {
  if (logged.length > 0) {
    const isUnmoved = effect?.before.every((balance, index) => balance === effect.after[index])
    return isUnmoved && !isToSelf ? 0n : logged.reduce((sum, amount) => sum + amount, 0n)
  }
  if (effect === null || isToSelf) return 0n
  const gained = (effect.after[1] ?? 0n) - (effect.before[1] ?? 0n)
  return gained > 0n ? gained : 0n
}

/** What the recipient gained in a simulation, by the token's events; null without any. */
export function loggedEffect(
  meaning: TokenMeaning,
  from: `0x${string}`,
  logs: readonly EventLog[],
): Effect | null {
  const moved = meaning.kind === 'transfer' ? loggedBy(logs, meaning, from) : []
  const gained = moved.reduce((sum, amount) => sum + amount, 0n)
  return moved.length === 0 ? null : { before: [0n, 0n], after: [0n, gained] }
}

/** The amounts of the token's events between these two. */
function loggedBy(
  logs: readonly EventLog[],
  { kind, token, party }: TokenMeaning,
  from: `0x${string}`,
): readonly bigint[] {
  return logs.flatMap(({ address, topics, data }) => {
    const [topic, one, other] = topics
    if (address.toLowerCase() !== token.toLowerCase() || topic !== eventTopics[kind]) return []
    if (!isTopicOf(one, from) || !isTopicOf(other, party)) return []
    const amount = toUnits(data)
    return amount === null ? [] : [amount]
  })
}

function effectOf(before: readonly unknown[], after: readonly unknown[]): Effect | null {
  const words = [before, after].map((values) => values.map(unitsInWord))
  const [first = [], second = []] = words
  if (first.length === 0 || words.flat().includes(null)) return null
  return { before: first as bigint[], after: second as bigint[] }
}

export function unitsInWord(value: unknown): bigint | null {
  return typeof value === 'string' && value.length === 66 ? toUnits(value) : null
}
