import { decodeEventLog, erc20Abi, type Hex } from 'viem'
import { toHex } from '#lib/page/quantity.ts'
import type { ReadCall } from '#lib/page/reading.ts'
import { eventTopics, wordOf } from './event-topics.ts'

/** A transfer or approval that involves an account. */
export interface TokenEvent {
  readonly id: string
  readonly kind: 'received' | 'sent' | 'approved'
  readonly party: `0x${string}`
  readonly value: bigint
  readonly block: number
  readonly hash: string
}

/** Blocks searched for an account's events: nodes refuse long ranges. */
export const eventBlocksMax = 1000
/** Events shown. */
export const eventsMax = 20

/** An account's transfers and approvals of a token in the last blocks up to `head`. */
export function eventQuestions(token: string, account: `0x${string}`, head: number): readonly ReadCall[] {
  const fromBlock = toHex(Math.max(0, head - eventBlocksMax + 1))
  const { transfer, approve } = eventTopics
  const own = `0x${wordOf(account)}`
  const logs = (topics: readonly unknown[]) => ({
    method: 'eth_getLogs',
    params: [{ address: token, fromBlock, toBlock: toHex(head), topics }],
  })
  return [logs([[transfer, approve], own]), logs([transfer, null, own])]
}

/** Newest first. Logs of another shape are dropped: an ERC-721 Transfer has the same topic. */
export function readEvents(account: `0x${string}`, logs: readonly unknown[]): readonly TokenEvent[] {
  const found = logs.flatMap((log) => eventOf(account, log) ?? [])
  return [...new Map(found.map((event) => [event.id, event])).values()]
    .sort((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, eventsMax)
}

interface Log {
  readonly topics: [Hex, ...Hex[]]
  readonly data: Hex
  readonly blockNumber: Hex
  readonly logIndex: Hex
  readonly transactionHash: string
}

function eventOf(account: `0x${string}`, log: unknown): TokenEvent | null {
  const { topics, data, blockNumber, logIndex, transactionHash } = log as Log
  try {
    const { eventName, args } = decodeEventLog({ abi: erc20Abi, topics, data })
    const block = Number(blockNumber)
    const place = (number: number) => number.toString().padStart(16, '0')
    const event = { id: `${place(block)}-${place(Number(logIndex))}`, block, hash: transactionHash }
    if (eventName === 'Approval')
      return { ...event, kind: 'approved', party: args.spender, value: args.value }
    return args.from.toLowerCase() === account.toLowerCase()
      ? { ...event, kind: 'sent', party: args.to, value: args.value }
      : { ...event, kind: 'received', party: args.from, value: args.value }
  } catch {
    return null
  }
}
